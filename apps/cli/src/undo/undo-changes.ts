// Runs `undo` or `redo`, in a new session unless one is named. Typing the command is the user's consent; a deny rule still denies.
import { type Effect, type ToolCall, ToolError, visibleLine } from '@codelab/protocol';
import { createRegistry, type Host, randomId, runConsented, userName } from '@codelab/runtime';
import type { Interruption } from '../command-line/process.ts';
import type { Paint } from '../output/paint.ts';
import { stagedLines, stillStaged } from './still-staged.ts';

export type UndoRequest = { verb: 'undo' | 'redo'; args: Record<string, unknown>; session?: string };

/** The result of the call, with its effects on the files. */
export type UndoOutcome = {
  data: {
    taken_back: { session: string; call_id: string; paths: string[] }[];
    refused: { path: string; reason: string; code?: string }[];
  };
  effects: Effect[];
  /** Restored files that git's index still has as they were before. */
  staged?: string[];
  /** Where nothing was undone: the turn before, which can be undone by its number. */
  before?: { session: string; turn: number } | undefined;
};

export async function undoChanges(
  host: Host,
  { verb, args, session: givenSession }: UndoRequest,
  interruption: Interruption,
): Promise<UndoOutcome> {
  const session = givenSession ?? randomId();
  // Planning fails when there is nothing to undo. A call would leave a session that did nothing.
  if (givenSession === undefined)
    await (await createRegistry(host, { session, dialect: 'codelab' })).approvalRequest(verb, args);
  const id = randomId();
  const by = { who: userName(), via: `codelab ${verb}` };
  const call: ToolCall = { id, session, tool: verb, args, dialect: 'codelab', by };
  const outcome = await runConsented(host, call, by, interruption.signal);
  if (outcome.status === 'completed')
    return {
      data: outcome.data as UndoOutcome['data'],
      effects: outcome.effects,
      staged: verb === 'undo' ? await stillStaged(host, outcome.effects) : [],
    };
  const { code, message, details } = outcome.error;
  throw new ToolError(code, message, details);
}

/** The effect of an undo or redo, file by file, and the files it left unchanged. */
export function undoText(
  { data, effects, staged = [] }: UndoOutcome,
  { isForced, paint }: { isForced: boolean; paint: Paint },
): string {
  // A turn may have changed a file several times; only the final state is shown.
  const last = new Map(effects.map((effect) => [effect.path, effect]));
  // Force overrides later changes; it does not restore content that is no longer stored, or free space.
  const way = (reason: string): string =>
    reason.endsWith('give its path') ? ' with --path' : ' (use --force)';
  const hint = (reason: string, code?: string): string => (isForced || code !== 'STALE' ? '' : way(reason));
  const lines = [
    ...[...last.values()].map(effectText),
    ...data.refused.map(({ path, reason, code }) =>
      paint('yellow', `refused${nameOf(path)}: ${visibleLine(reason)}${hint(reason, code)}`),
    ),
    ...stagedLines(staged).map((line) => paint('yellow', line)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

// Files that have no record, so no name, are refused as the workspace.
function nameOf(path: string): string {
  return path === '.' ? '' : ` ${visibleLine(path)}`;
}

function effectText({ op, path, from, before }: Effect): string {
  const name = visibleLine(path);
  if (op === 'move') return `moved ${visibleLine(from ?? '')} to ${name}`;
  if (op !== 'delete') return `restored ${name}`;
  return `removed ${before?.type === 'directory' ? 'folder ' : ''}${name}`;
}

type NothingDetails = Partial<Pick<UndoOutcome['data'], 'refused'>> & {
  reason?: unknown;
  turn_before?: UndoOutcome['before'];
};

/** A failure that reads better as a list: every file was refused, or there was none. Undefined for any other failure. */
export function nothingToUndo(error: unknown): UndoOutcome | undefined {
  if (!(error instanceof ToolError)) return undefined;
  const { reason, refused = [], turn_before: before } = (error.details ?? {}) as NothingDetails;
  if (reason !== 'nothing' && refused.length === 0) return undefined;
  return { data: { taken_back: [], refused }, effects: [], before };
}
