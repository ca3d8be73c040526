// Moves or renames a file or directory inside the workspace; a replaced target goes to the quarantine first.
import { type Effect, phrase, ToolError, type Touch } from '@codelab/protocol';
import * as z from 'zod/mini';
import { createPauses } from '../../platform/steps.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { type Change, fileStateAt, intentsOf } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';
import { identity } from '../../workspace/directory.ts';
import type { Located } from '../../workspace/locate.ts';
import { foldPath } from '../../workspace/paths.ts';
import { missingDirectories } from '../../workspace/text-files.ts';
import { blastRadius } from '../../workspace/trees/blast-radius.ts';
import { isSameFile } from '../../workspace/trees/known-files.ts';

const Input = () =>
  z.strictObject({ from: z.string(), to: z.string(), overwrite: z._default(z.boolean(), false) });
const Output = () => z.strictObject({ from: z.string(), to: z.string(), moved: z.boolean() });

type Input = z.infer<ReturnType<typeof Input>>;
type Prepared = { from: string; to: string; changes: Change[] };

export const moveFileTool = defineTool<Input, z.infer<ReturnType<typeof Output>>, Prepared>({
  name: 'move_file',
  kind: 'move',
  summary: 'Move or rename a file or directory; refuses to replace anything without overwrite.',
  input: Input,
  output: Output,

  async plan(input, { workspace, limits, signal }) {
    const { pathChars } = limits;
    using from = workspace.locate(input.from, { followLast: false, access: 'delete', pathChars });
    using to = workspace.locate(input.to, { followLast: false, access: 'create', pathChars });
    checkMove(input, from, to);
    const change = moveChange(from, to);
    const changes = [...missingDirectories(to), change];
    const { inside } = await blastRadius(workspace, from, signal);
    const isReplacing = to.stat !== undefined;
    return {
      plan: {
        summary: phrase(isReplacing ? 'plan.moveReplacing' : 'plan.move', { from: from.path, to: to.path }),
        risk: isReplacing || inside.length > 0 ? 'medium' : 'low',
        riskReason: phrase(isReplacing ? 'risk.replaces' : 'risk.moves'),
        touches: [
          { asked: input.from, path: from.path, access: 'delete' },
          { asked: input.to, path: to.path, access: isReplacing ? 'write' : 'create' },
        ],
        notes: isReplacing ? [phrase('note.replacedKept', { path: to.path })] : [],
        basis: [
          { path: from.path, print: change.expectedFrom },
          { path: to.path, print: change.expected },
        ],
      },
      within: await bothEnds(inside, from.path, to.path),
      intents: intentsOf(changes),
      prepared: { from: from.path, to: to.path, changes },
    };
  },

  async run(_input, { from, to, changes }, context) {
    const effects = await commitChanges(changes, context);
    return { data: { from, to, moved: true }, effects };
  },

  tell: ({ from, to }) => `Moved ${from} to ${to}.`,
});

function checkMove(input: Input, from: Located, to: Located): void {
  if (from.path === '.' || to.path === '.')
    throw new ToolError('INVALID_PATH', 'The workspace itself can’t be moved.');
  if (from.stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${input.from}`);
  if (/\/\.?$/.test(input.to) && !from.stat.isDirectory())
    throw new ToolError('INVALID_PATH', `${input.to} names a directory; give the new name of the file.`, {
      reason: 'trailing_slash',
    });
  if (from.path === to.path) throw new ToolError('INVALID_ARGUMENTS', '`from` and `to` are the same place.');
  if (to.path.startsWith(`${from.path}/`))
    throw new ToolError('INVALID_ARGUMENTS', 'A directory can’t be moved into itself.');
  if (to.stat === undefined) return;
  // On a case-insensitive disk, the file would be moved aside to make room for itself.
  if (foldPath(from.path) === foldPath(to.path) && isSameFile(from.stat, to.stat))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${input.from} and ${input.to} are the same file here. Move it to another name first, then to this one.`,
    );
  if (!input.overwrite)
    throw new ToolError('ALREADY_EXISTS', `${input.to} exists. Send \`overwrite: true\` to replace it.`);
  if (to.stat.isDirectory())
    throw new ToolError('ALREADY_EXISTS', `${input.to} is a directory and can’t be replaced.`);
}

function moveChange(from: Located, to: Located): Extract<Change, { op: 'move' }> {
  const before = to.stat === undefined ? null : fileStateAt(to, to.stat);
  const after = from.stat === undefined ? null : fileStateAt(from, from.stat);
  const intent: Effect = { op: 'move', path: to.path, from: from.path, before, after };
  return {
    op: 'move',
    intent: before === null ? intent : { ...intent, trashId: '0' },
    expected: to.stat === undefined ? 'absent' : identity(to.stat),
    expectedFrom: from.stat === undefined ? 'absent' : identity(from.stat),
  };
}

// Every path in a moved directory is deleted at one place and created at another.
async function bothEnds(inside: readonly string[], from: string, to: string): Promise<Touch[]> {
  const touches: Touch[] = [];
  const pauses = createPauses();
  for (const path of inside) {
    const arrives = `${to}${path.slice(from.length)}`;
    touches.push(
      { asked: path, path, access: 'delete' },
      { asked: arrives, path: arrives, access: 'create' },
    );
    if (pauses.isDue()) await pauses.rest();
  }
  return touches;
}
