// Takes a file or directory out of the workspace into the quarantine; the plan says how much would go.
import { type BlastRadius, type Effect, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.ts';
import { blastRadius } from '../workspace/blast-radius.ts';
import { type Change, intentsOf } from '../workspace/change.ts';
import { commitChanges } from '../workspace/commit-changes.ts';
import { guarded } from '../workspace/fault.ts';
import { fileStateAt } from '../workspace/file-state.ts';
import { identity } from '../workspace/identity.ts';
import { newTemp } from '../workspace/new-temp.ts';
import { promiseFor, retention } from '../workspace/prune-quarantine.ts';

const hourMs = 60 * 60 * 1000;

const Input = () => z.strictObject({ path: z.string(), recursive: z._default(z.boolean(), false) });

const Output = () =>
  z.strictObject({
    path: z.string(),
    deleted: z.boolean(),
    files: z.int(),
    bytes: z.int(),
    recoverable: z.boolean(),
    /** For how long at least. */
    retention_hours: z.int(),
    trash_id: z.string(),
  });

type Prepared = { path: string; blast: BlastRadius; changes: Change[]; keptMs: number };

export const deleteFile = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  Prepared
>({
  name: 'delete_file',
  kind: 'delete',
  summary: 'Move a file, or with recursive a directory, out of the workspace into the quarantine.',
  input: Input,
  output: Output,

  plan({ path: asked, recursive }, { workspace, limits, signal, lock }) {
    using place = workspace.locate(asked, {
      followLast: false,
      access: 'delete',
      pathChars: limits.pathChars,
    });
    const { path, stat } = place;
    if (path === '.') throw new ToolError('INVALID_PATH', 'The workspace itself is not deleted.');
    if (stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${asked}`);
    if (stat.isDirectory() && !recursive)
      throw new ToolError(
        'NOT_REGULAR_FILE',
        `${asked} is a directory. Ask for \`recursive\` to remove it whole.`,
      );
    const { blast, inside } = guarded(asked, () => blastRadius(workspace, place, signal));
    const keptMs = promiseFor(lock, blast.bytes);
    const expected = identity(stat);
    const intent: Effect = {
      op: 'delete',
      path,
      before: fileStateAt(place, stat),
      after: null,
      trashId: '0',
    };
    const changes: Change[] = [{ op: 'remove', intent, expected, temp: newTemp() }];
    return {
      plan: {
        summary: stat.isDirectory()
          ? `Delete ${path}/ with ${blast.files} files (${blast.bytes} bytes)`
          : `Delete ${path} (${blast.bytes} bytes)`,
        risk: blast.files > 1000 ? 'critical' : 'high',
        riskReason: stat.isDirectory()
          ? 'It removes a directory with everything in it.'
          : 'It removes a file.',
        touches: [{ asked, path, access: 'delete' }],
        notes: notesFor(blast, keptMs),
        blast,
        basis: [{ path, print: `${expected}:${blast.files}:${blast.bytes}` }],
      },
      within: inside.map((one) => ({ asked: one, path: one, access: 'delete' })),
      intents: intentsOf(changes),
      prepared: { path, blast, changes, keptMs },
    };
  },

  async run(_input, { path, blast, changes, keptMs }, context) {
    const effects = await commitChanges(changes, context, {
      promise: { ms: keptMs, diskBytes: blast.bytes },
    });
    const trashId = effects[0]?.trashId ?? '';
    return {
      data: {
        path,
        deleted: true,
        files: blast.files,
        bytes: blast.bytes,
        recoverable: true,
        retention_hours: keptMs / hourMs,
        trash_id: trashId,
      },
      effects,
    };
  },

  tell: ({ path, files }) => `Deleted ${path} (${files} files); it is kept in the quarantine.`,
});

function notesFor(blast: BlastRadius, keptMs: number): string[] {
  const notes: string[] = [
    keptMs > hourMs
      ? `It goes to the quarantine and can be brought back for ${retention.days} days.`
      : 'It is too large for the quarantine to keep long: it can be brought back for one hour, after that only while there is room.',
  ];
  if (blast.untracked !== null && blast.untracked > 0)
    notes.push(`${blast.untracked} of the files are not in git.`);
  if (blast.linksLeaving > 0)
    notes.push(`${blast.linksLeaving} links lead out of the workspace; what they point at stays.`);
  return notes;
}
