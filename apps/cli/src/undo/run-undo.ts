// `codelab undo` and `codelab redo` after their options are read: preview or do it, then print the result of each file.

import { visibleLine } from '@codelab/protocol';
import { createRegistry, type Host, randomId } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { diffText } from '../approval/diff-text.ts';
import { checkFolder, findSessions, formerFolders } from '../audit/find-sessions.ts';
import { composeOptions, type Options } from '../command-line/define-command.ts';
import { createInterruption, writeText } from '../command-line/process.ts';
import { paintFor } from '../output/paint.ts';
import { screenWidth } from '../output/text-width.ts';
import { nothingToUndo, type UndoOutcome, type UndoRequest, undoChanges, undoText } from './undo-changes.ts';

type Given = { workspace?: string; 'dry-run'?: boolean; force?: boolean; json?: boolean };

/** Exit code 1 when a file was refused or there was nothing to undo. */
export async function runUndo(
  { session: typedSession, ...request }: UndoRequest,
  options: Given,
): Promise<number> {
  await using composed = await compose(composeOptions(options));
  using interruption = createInterruption();
  const { host } = composed;
  const undoRequest = typedSession === undefined ? request : await inSession(host, request, typedSession);
  try {
    if (options['dry-run']) return await showUndo(host, undoRequest, options);
    return report(await undoChanges(host, undoRequest, interruption), undoRequest, options);
  } catch (error) {
    const nothing = nothingToUndo(error);
    if (nothing !== undefined) {
      const code = report(nothing, undoRequest, options);
      if (nothing.data.refused.length === 0)
        writeText(2, movedText(await formerFolders(host.log, host.workspace.root.real)));
      return code;
    }
    if (interruption.happened) return 130;
    throw error;
  }
}

/** In a named session, the command sees what the session's owner may see; without one, every change of the user. */
async function inSession(
  { log, workspace }: Host,
  request: UndoRequest,
  typedSession: string,
): Promise<UndoRequest> {
  const [found] = await findSessions(log, { id: typedSession });
  if (found !== undefined) checkFolder(found, workspace.root.real, `codelab ${request.verb}`);
  const session = found?.id ?? typedSession;
  return { ...request, session, args: { ...request.args, session } };
}

function report(outcome: UndoOutcome, { verb }: UndoRequest, { json, force = false }: Given): number {
  const { taken_back: undone, refused } = outcome.data;
  const { staged = [] } = outcome;
  writeText(
    1,
    json
      ? `${JSON.stringify({ taken_back: undone, refused, ...(staged.length > 0 && { still_staged: staged }) })}\n`
      : undoText(outcome, { isForced: force, paint: paintFor(1) }),
  );
  if (undone.length === 0 && refused.length === 0) writeText(2, `There is nothing to ${verb} here.\n`);
  if (undone.length === 0 && refused.length > 0 && verb === 'undo' && !force) writeText(2, nextStep(outcome));
  return undone.length > 0 && refused.length === 0 ? 0 : 1;
}

const mostFolders = 3;

/** What calls changed is known by the path of the workspace. */
function movedText(folders: readonly string[]): string {
  if (folders.length === 0) return '';
  const names = folders.slice(0, mostFolders).map(visibleLine).join(', ');
  return `There are sessions in ${names}, which no longer exists. If you moved or renamed that folder, move it back to undo what they changed.\n`;
}

function nextStep({ data, before }: UndoOutcome): string {
  // Force does not restore content that is no longer stored, or free space.
  const isForceable = data.refused.some(({ code }) => code === 'STALE');
  const step = isForceable
    ? `Nothing was undone.
To undo the agent's changes and keep the later ones: codelab review
To overwrite the later changes: codelab undo --force (with --path PATH, only in that file)`
    : 'Nothing was undone. Each line above says why; --force does not change that.';
  if (before === undefined) return `${step}\n`;
  const { session, turn } = before;
  return `${step}\nTo undo the turn before: codelab undo --session ${visibleLine(session)} --turn ${turn}\n`;
}

/** `--dry-run`: the plan of an undo, a redo or a restore. Nothing changes. */
export async function showUndo(
  host: Host,
  { verb, args, session = randomId() }: Omit<UndoRequest, 'verb'> & { verb: string },
  { json = false }: { json?: boolean | undefined },
): Promise<number> {
  const registry = await createRegistry(host, { session, dialect: 'codelab' });
  const { plan, verdict } = await registry.approvalRequest(verb, args);
  const { summary, touches, notes, diff } = plan;
  const isDenied = verdict.verdict === 'deny';
  if (json) {
    writeText(1, `${JSON.stringify({ summary, touches, notes, diff: diff?.text ?? '' })}\n`);
    return isDenied ? 1 : 0;
  }
  const paint = paintFor(1);
  const lines = [
    paint('bold', visibleLine(summary)),
    ...notes.map((note) => `  ${visibleLine(note)}`),
    ...(diff === undefined || diff.text === ''
      ? []
      : ['', ...diffText(diff, { columns: screenWidth(), paint })]),
    ...(isDenied
      ? [`Denied by the rule "${visibleLine(verdict.rule)}": ${visibleLine(verdict.reason)}`]
      : []),
    'Nothing was changed (--dry-run).',
  ];
  writeText(1, lines.map((line) => `${line}\n`).join(''));
  return isDenied ? 1 : 0;
}

/** The options that undo and redo share. */
export const undoOptions = {
  session: {
    type: 'string',
    value: 'ID',
    summary: 'only changes of this session (default: any, newest first)',
  },
  'dry-run': { type: 'boolean', summary: 'show what would change, without changing anything' },
  force: { type: 'boolean', summary: 'include files that were changed since' },
} as const satisfies Options;
