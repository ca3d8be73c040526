// Moves or renames a file or directory inside the workspace; what it would replace goes to the quarantine first.
import { renameSync } from 'node:fs';
import { type Effect, ToolError, type Touch } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool, type RunContext } from '../define-tool.ts';
import { blastRadius } from '../workspace/blast-radius.ts';
import { checkUnchanged, staleError } from '../workspace/check-unchanged.ts';
import { errno, guarded } from '../workspace/fault.ts';
import { fileStateAt } from '../workspace/file-state.ts';
import { flushDirectory } from '../workspace/flush.ts';
import { identity } from '../workspace/identity.ts';
import type { Located } from '../workspace/locate.ts';
import { makeParents } from '../workspace/make-parents.ts';
import { moveWithoutReplacing } from '../workspace/move-without-replacing.ts';
import { missingDirectories } from '../workspace/text-change.ts';
import { keepInTrash, newTrashId } from '../workspace/trash.ts';

const Input = () =>
  z.strictObject({ from: z.string(), to: z.string(), overwrite: z._default(z.boolean(), false) });
const Output = () => z.strictObject({ from: z.string(), to: z.string(), moved: z.boolean() });

type Input = z.infer<ReturnType<typeof Input>>;
type Prepared = { source: string; target: string; effects: Effect[]; trashId: string | undefined };

export const moveFile = defineTool<Input, z.infer<ReturnType<typeof Output>>, Prepared>({
  name: 'move_file',
  kind: 'move',
  summary: 'Move or rename a file or directory; refuses to replace anything without overwrite.',
  input: Input,
  output: Output,

  plan(input, { workspace, limits, signal }) {
    using from = workspace.locate(input.from, {
      followLast: false,
      access: 'delete',
      pathChars: limits.pathChars,
    });
    using to = workspace.locate(input.to, {
      followLast: false,
      access: 'create',
      pathChars: limits.pathChars,
    });
    checkMove(input, from, to);
    const source = from.stat === undefined ? 'absent' : identity(from.stat);
    const target = to.stat === undefined ? 'absent' : identity(to.stat);
    const before = to.stat === undefined ? null : fileStateAt(to, to.stat);
    const after = from.stat === undefined ? null : fileStateAt(from, from.stat);
    const trashId = to.stat === undefined ? undefined : newTrashId();
    const effect: Effect = {
      op: 'move',
      path: to.path,
      from: from.path,
      before,
      after,
      ...(trashId === undefined ? {} : { trashId }),
    };
    const effects = [...missingDirectories(to), effect];
    const { inside } = guarded(input.from, () => blastRadius(workspace, from, signal));
    return {
      plan: {
        summary: `Move ${from.path} to ${to.path}${to.stat === undefined ? '' : ', replacing it'}`,
        risk: 'high',
        riskReason: to.stat === undefined ? 'It changes where a file is.' : 'It replaces a file.',
        touches: [
          { asked: input.from, path: from.path, access: 'delete' },
          { asked: input.to, path: to.path, access: to.stat === undefined ? 'create' : 'write' },
        ],
        notes: to.stat === undefined ? [] : [`What is at ${to.path} now goes to the quarantine.`],
        basis: [
          { path: from.path, print: source },
          { path: to.path, print: target },
        ],
      },
      within: inside.flatMap((one) => bothEnds(one, from.path, to.path)),
      intents: effects,
      prepared: { source, target, effects, trashId },
    };
  },

  async run(input, prepared, context) {
    const { workspace, limits, signal } = context;
    using from = workspace.locate(input.from, {
      followLast: false,
      access: 'delete',
      pathChars: limits.pathChars,
    });
    using asked = workspace.locate(input.to, {
      followLast: false,
      access: 'create',
      pathChars: limits.pathChars,
    });
    using parents = makeParents(asked);
    const to = parents.place;
    guarded(input.from, () => {
      signal.throwIfAborted();
      context.lock.hold(() => move(from, to, prepared, context));
    });
    parents.keep();
    await flushDirectory(to.parent.fd, input.to);
    await flushDirectory(from.parent.fd, input.from);
    return { data: { from: from.path, to: to.path, moved: true }, effects: prepared.effects };
  },

  tell: ({ from, to }) => `Moved ${from} to ${to}.`,
});

function checkMove(input: Input, from: Located, to: Located): void {
  if (from.path === '.' || to.path === '.')
    throw new ToolError('INVALID_PATH', 'The workspace itself is not moved.');
  if (from.stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${input.from}`);
  if (from.path === to.path) throw new ToolError('INVALID_ARGUMENTS', '`from` and `to` are the same place.');
  if (to.path.startsWith(`${from.path}/`))
    throw new ToolError('INVALID_ARGUMENTS', 'A directory is not moved into itself.');
  if (to.stat === undefined) return;
  if (!input.overwrite)
    throw new ToolError('ALREADY_EXISTS', `${input.to} exists. Ask for \`overwrite\` to replace it.`);
  if (to.stat.isDirectory())
    throw new ToolError('ALREADY_EXISTS', `${input.to} is a directory; it is not replaced.`);
}

// What moves with a directory leaves one place and arrives at another.
function bothEnds(path: string, from: string, to: string): Touch[] {
  const arrives = `${to}${path.slice(from.length)}`;
  return [
    { asked: path, path, access: 'delete' },
    { asked: arrives, path: arrives, access: 'create' },
  ];
}

function move(from: Located, to: Located, prepared: Prepared, { home, callId, workspace }: RunContext): void {
  const source = from.parent.at(from.name);
  const target = to.parent.at(to.name);
  checkUnchanged(source, prepared.source, from.asked);
  checkUnchanged(target, prepared.target, to.asked);
  if (prepared.trashId !== undefined)
    keepInTrash(to, { home, id: prepared.trashId, callId, root: workspace.root.real });
  if (prepared.target !== 'absent' || !from.stat?.isFile()) {
    renameSync(source, target);
    return;
  }
  try {
    moveWithoutReplacing(source, target);
  } catch (error) {
    throw errno(error) === 'EEXIST' ? staleError(to.asked) : error;
  }
}
