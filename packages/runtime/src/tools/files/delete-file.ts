// Takes a file or directory out of the workspace into the quarantine; the plan says how much would go.
import { opendirSync, statfsSync } from 'node:fs';
import { type BlastRadius, type Effect, type Phrase, phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool, type Planned } from '../../tool/define-tool.ts';
import { type Change, fileStateAt, intentsOf, newTemp } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';
import { identity } from '../../workspace/directory.ts';
import { fault } from '../../workspace/fault.ts';
import type { Located } from '../../workspace/locate.ts';
import { retention, retentionFor } from '../../workspace/quarantine/prune-quarantine.ts';
import { isOtherDevice } from '../../workspace/quarantine/quarantine.ts';
import { blastRadius, type DeletionReach } from '../../workspace/trees/blast-radius.ts';
import { describeLosses, type LossKind } from '../../workspace/trees/copy-content.ts';
import { mountPoint } from '../../workspace/trees/remove-tree.ts';

const hourMs = 60 * 60 * 1000;

const Input = () => z.strictObject({ path: z.string(), recursive: z._default(z.boolean(), false) });

const Output = () =>
  z.strictObject({
    path: z.string(),
    deleted: z.boolean(),
    files: z.int(),
    bytes: z.int(),
    recoverable: z.boolean(),
    /** The shortest time for which the quarantine keeps the deleted files. */
    retention_hours: z.optional(z.int()),
    trash_id: z.string(),
    /** The parts of the deleted files that the quarantine can't store. */
    not_kept: z.optional(z.array(z.string())),
  });

type Prepared = { path: string; blast: BlastRadius; forecast: QuarantineForecast; changes: Change[] };

export const deleteFileTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  Prepared
>({
  name: 'delete_file',
  kind: 'delete',
  summary:
    'Move a file, an empty directory, or with recursive any directory, out of the workspace into the quarantine.',
  input: Input,
  output: Output,

  async plan({ path: requestedPath, recursive }, { workspace, home, limits, signal, lock }) {
    using place = workspace.locate(requestedPath, {
      followLast: false,
      access: 'delete',
      pathChars: limits.pathChars,
    });
    const { path } = place;
    const stat = checkDeletable(place, recursive);
    const reach = await blastRadius(workspace, place, signal);
    const [mount] = reach.mounts;
    if (mount !== undefined) throw mountPoint(mount);
    const { blast, inside } = reach;
    const forecast = {
      ...keptOf(reach, place, home),
      ms: await retentionFor(lock, blast.diskBytes ?? blast.bytes),
    };
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
          ? phrase('plan.deleteDirectory', { path, files: blast.files, bytes: blast.bytes })
          : phrase('plan.delete', { path, bytes: blast.bytes }),
        risk: blast.files > 1000 ? 'critical' : 'high',
        riskReason: phrase(stat.isDirectory() ? 'risk.removesDirectory' : 'risk.removesFile'),
        touches: [{ asked: requestedPath, path, access: 'delete' }],
        notes: notesFor(blast, forecast),
        blast,
        // The retention time is in the basis, because the approval shows it.
        basis: [{ path, print: `${expected}:${blast.files}:${blast.bytes}:${forecast.ms}` }],
      },
      within: inside.map((insidePath) => ({ asked: insidePath, path: insidePath, access: 'delete' })),
      intents: intentsOf(changes),
      ...mustAskAbout(forecast),
      prepared: { path, blast, forecast, changes },
    };
  },

  async run(_input, { path, blast, forecast, changes }, context) {
    const { isKept, ms, losses } = forecast;
    const diskBytes = blast.diskBytes ?? blast.bytes;
    const effects = await commitChanges(changes, context, { promise: { ms, diskBytes } });
    const trashId = effects[0]?.trashId ?? '';
    return {
      data: {
        path,
        deleted: true,
        files: blast.files,
        bytes: blast.bytes,
        recoverable: isKept,
        retention_hours: isKept ? ms / hourMs : 0,
        trash_id: trashId,
        ...(losses.length > 0 && { not_kept: losses }),
      },
      effects,
    };
  },

  tell({ path, files, recoverable, not_kept = [] }) {
    if (!recoverable) return `Deleted ${path}; it could not be kept.`;
    const missing = not_kept.length === 0 ? '' : ` It comes back without ${not_kept.join('; ')}.`;
    return `Deleted ${path} (${files === 1 ? '1 file' : `${files} files`}); it is kept in the quarantine.${missing}`;
  },
});

function checkDeletable(place: Located, recursive: boolean): NonNullable<Located['stat']> {
  const { path, stat, asked } = place;
  if (path === '.') throw new ToolError('INVALID_PATH', 'The workspace itself can’t be deleted.');
  if (stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${asked}`);
  // A file added to the folder after this check changes the folder's fingerprint, so the plan becomes stale.
  if (stat.isDirectory() && !recursive && !isEmpty(place))
    throw new ToolError(
      'NOT_REGULAR_FILE',
      `${asked} is a directory that is not empty. Send \`recursive: true\` to remove it with its contents.`,
    );
  return stat;
}

const dayMs = 24 * hourMs;

// A mode lets deletions run unasked because undo can restore the files.
function mustAskAbout({ isKept, losses, ms }: QuarantineForecast): Pick<Planned<unknown>, 'mustAsk'> {
  const reason = !isKept
    ? 'call.notKept'
    : losses.length > 0
      ? 'call.partlyKept'
      : ms < dayMs
        ? 'call.keptShortly'
        : undefined;
  return reason === undefined ? {} : { mustAsk: { rule: 'lasting-deletion', reason: phrase(reason) } };
}

function isEmpty({ parent, name, asked }: Located): boolean {
  try {
    using folder = parent.openBelow(name);
    using names = opendirSync(folder.at('.'));
    return names.readSync() === null;
  } catch (error) {
    throw fault(error, asked);
  }
}

/** How much of the deleted files the quarantine keeps, and what a restored copy lacks. */
type QuarantineForecast = { isKept: boolean; isCopied: boolean; losses: string[]; ms: number };

function keptOf(
  { losses, blast }: DeletionReach,
  place: Located,
  home: string,
): Omit<QuarantineForecast, 'ms'> {
  const isCopied = isOtherDevice(home, place);
  const isKept = !(isCopied && losses.lost.some(({ path, what }) => path === place.path && isThing(what)));
  if (isCopied) checkRoom(home, blast.diskBytes ?? blast.bytes, place.asked);
  return { isKept, isCopied, losses: isCopied ? describeLosses(losses) : [] };
}

/** Refuses before anybody is asked: the copy would stop half-way on a full disk. */
function checkRoom(home: string, diskBytes: number, requestedPath: string): void {
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize > diskBytes) return;
  const text = `${requestedPath} takes up ${diskBytes} bytes, and the disk of the quarantine has less free space. Free some, or delete it yourself.`;
  throw new ToolError('NO_SPACE', text);
}

/** Whether the loss is the file itself, not an attribute of it. */
function isThing(kind: LossKind): boolean {
  return kind === 'socket' || kind === 'device' || kind === 'FIFO';
}

function notesFor(blast: BlastRadius, { isKept, isCopied, losses, ms }: QuarantineForecast): Phrase[] {
  const notes: Phrase[] = [];
  if (!isKept) notes.push(phrase('note.notKept'));
  else {
    notes.push(ms > hourMs ? phrase('note.keptDays', { days: retention.days }) : phrase('note.keptHour'));
    if (isCopied) notes.push(phrase('note.keptAsCopy'));
    if (losses.length > 0) notes.push(phrase('note.losses', { what: losses.join('; ') }));
  }
  if (blast.untracked !== null && blast.untracked > 0)
    notes.push(phrase('note.untracked', { count: blast.untracked }));
  if (blast.linksLeaving > 0) notes.push(phrase('note.linksLeaving', { count: blast.linksLeaving }));
  return notes;
}
