// Takes a file or directory out of the workspace into the quarantine; the plan says how much would go.
import { type BlastRadius, type Effect, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.ts';
import { blastRadius, type Reach } from '../workspace/blast-radius.ts';
import { type Change, intentsOf } from '../workspace/change.ts';
import { commitChanges } from '../workspace/commit-changes.ts';
import { fileStateAt } from '../workspace/file-state.ts';
import { identity } from '../workspace/identity.ts';
import { isOtherDevice } from '../workspace/is-other-device.ts';
import type { Located } from '../workspace/locate.ts';
import { describeLosses, type LossKind } from '../workspace/losses.ts';
import { newTemp } from '../workspace/new-temp.ts';
import { mountPoint } from '../workspace/remove-tree.ts';

const Input = () => z.strictObject({ path: z.string(), recursive: z._default(z.boolean(), false) });

const Output = () =>
  z.strictObject({
    path: z.string(),
    deleted: z.boolean(),
    files: z.int(),
    bytes: z.int(),
    recoverable: z.boolean(),
    trash_id: z.string(),
    /** What the quarantine cannot have of it. */
    not_kept: z.optional(z.array(z.string())),
  });

type Prepared = { path: string; blast: BlastRadius; kept: Kept; changes: Change[] };

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

  async plan({ path: asked, recursive }, { workspace, home, limits, signal }) {
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
    const reach = await blastRadius(workspace, place, signal);
    const [mount] = reach.mounts;
    if (mount !== undefined) throw mountPoint(mount);
    const { blast, inside } = reach;
    const kept = keptOf(reach, place, home);
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
        notes: notesFor(blast, kept),
        blast,
        basis: [{ path, print: `${expected}:${blast.files}:${blast.bytes}` }],
      },
      within: inside.map((one) => ({ asked: one, path: one, access: 'delete' })),
      intents: intentsOf(changes),
      prepared: { path, blast, kept, changes },
    };
  },

  async run(_input, { path, blast, kept, changes }, context) {
    const effects = await commitChanges(changes, context);
    const trashId = effects[0]?.trashId ?? '';
    return {
      data: {
        path,
        deleted: true,
        files: blast.files,
        bytes: blast.bytes,
        recoverable: kept.isKept,
        trash_id: trashId,
        ...(kept.losses.length > 0 && { not_kept: kept.losses }),
      },
      effects,
    };
  },

  tell({ path, files, recoverable, not_kept = [] }) {
    if (!recoverable) return `Deleted ${path}; it could not be kept.`;
    const missing = not_kept.length === 0 ? '' : ` It comes back without ${not_kept.join('; ')}.`;
    return `Deleted ${path} (${files} files); it is kept in the quarantine.${missing}`;
  },
});

/** What will be left of it in the quarantine, and in what comes back from there. */
type Kept = { isKept: boolean; isCopied: boolean; losses: string[] };

function keptOf({ losses }: Reach, place: Located, home: string): Kept {
  const isCopied = isOtherDevice(home, place);
  const isKept = !(isCopied && losses.lost.some(({ path, what }) => path === place.path && isThing(what)));
  // A folder comes back as a copy of what is kept, wherever that is.
  const isAffected = isCopied || place.stat?.isDirectory() === true;
  return { isKept, isCopied, losses: isAffected ? describeLosses(losses) : [] };
}

/** Whether there is nothing left without it, as opposed to a quality of something. */
function isThing(what: LossKind): boolean {
  return what === 'socket' || what === 'device' || what === 'FIFO';
}

function notesFor(blast: BlastRadius, { isKept, isCopied, losses }: Kept): string[] {
  const notes: string[] = [];
  if (!isKept)
    notes.push('It cannot be brought back: the quarantine is on another device, where no copy of it can be.');
  else {
    notes.push('It goes to the quarantine and can be brought back for 14 days.');
    if (isCopied)
      notes.push(
        'The quarantine is on another device, so it is copied; extended attributes and ACLs are not kept.',
      );
    if (losses.length > 0) notes.push(`It comes back without ${losses.join('; ')}.`);
  }
  if (blast.untracked !== null && blast.untracked > 0)
    notes.push(`${blast.untracked} of the files are not in git.`);
  if (blast.linksLeaving > 0)
    notes.push(`${blast.linksLeaving} links lead out of the workspace; what they point at stays.`);
  return notes;
}
