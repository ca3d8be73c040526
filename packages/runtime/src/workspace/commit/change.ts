// One change to the workspace as the code that makes it sees it, and the steps that make it durable. Effects are its record in the log.
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { type Effect, type FileState, ToolError } from '@codelab/protocol';
import { digest, randomId } from '../../platform/digest.ts';
import { type Directory, defaultMode, modeToFill } from '../directory.ts';
import { errno } from '../fault.ts';
import type { Located } from '../locate.ts';
import { openRegular, readWhole } from '../read-bytes.ts';
import type { Workspace } from '../workspace.ts';
import type { CommitLock } from './commit-lock.ts';

/** The context of a set of changes: the place, the call, and who gets its progress. */
export type ChangeContext = {
  workspace: Workspace;
  home: string;
  lock: CommitLock;
  session: string;
  callId: string;
  /** The quarantine slot for replaced content. */
  slot: string;
  signal: AbortSignal;
  /** Work that may outlast the call; `closing` aborts it. */
  later(work: Promise<void>): void;
  closing: AbortSignal;
  onRecorded(work: () => void): void;
  report(progress: Record<string, unknown>): void;
};

/** New content: bytes with the file's mode, the target of a symbolic link, or a quarantined item. */
export type NewContent = { bytes: Buffer; mode: number } | { link: string } | { kept: string };

/**
 * A file with several names gets its new content under all of them; `isReplacing`: only under this one, which becomes a separate file.
 * `expected` is the identity that the plan found at the path, or `absent`. `intent.trashId` is the item for replaced content. `old` is the
 * content that the plan has read, if available.
 */
export type Change =
  | {
      op: 'put';
      intent: Effect;
      expected: string;
      source: NewContent;
      temp: string;
      old?: Buffer;
      isReplacing?: true;
      /**
       * When the file at the path was created, in nanoseconds: after a restart its inode number may belong to another file. Only journals
       * have it.
       */
      born?: string;
      /** The identity of the new file under its temp name; renaming it changes the identity. Only journals have it. */
      made?: string;
    }
  | { op: 'remove'; intent: Effect; expected: string; temp: string }
  | {
      op: 'move';
      intent: Effect;
      expected: string;
      expectedFrom: string;
      /**
       * Where something else is due at the old place: a temporary name beside the new one for the old name. It proves that the move got
       * this far.
       */
      temp?: string;
    }
  | { op: 'mkdir'; intent: Effect }
  | { op: 'rmdir'; intent: Effect };

export function intentsOf(changes: readonly Change[]): Effect[] {
  return changes.map((change) =>
    'temp' in change ? { ...change.intent, temp: change.temp } : change.intent,
  );
}

/** The state at a place, in the form that effects record. */
const maxDigested = 16n * 1024n * 1024n;

export function fileState(stat: BigIntStats, contentDigest?: string): FileState {
  const type = stat.isFile()
    ? 'file'
    : stat.isDirectory()
      ? 'directory'
      : stat.isSymbolicLink()
        ? 'symlink'
        : 'other';
  const state: FileState = { type, size: Number(stat.size), mode: Number(stat.mode & 0o7777n) };
  if (contentDigest !== undefined) return { ...state, digest: contentDigest };
  return type === 'file' ? { ...state, mtimeMs: Number(stat.mtimeNs / 1_000_000n) } : state;
}

/** Whether files without digests were last written at the same time; a copy may differ by a rounding. */
export function isSameTime({ mtimeMs: a }: FileState, { mtimeMs: b }: FileState): boolean {
  return a === undefined || b === undefined || Math.abs(a - b) <= 1;
}

/** Includes the digest of a file that is not too large to read; the content of a link is its target. */
export function fileStateAt(place: Located, stat: BigIntStats): FileState {
  const at = place.parent.at(place.name);
  if (stat.isSymbolicLink()) return fileState(stat, digest(readlinkSync(at)));
  if (!stat.isFile() || stat.size > maxDigested) return fileState(stat);
  try {
    using file = openRegular(place);
    return fileState(stat, digest(readWhole(file, place.asked)));
  } catch {
    // Not readable for us, but it can still be moved and removed.
    return fileState(stat);
  }
}

/** Which files are rewritten in place instead of replaced. */
type Put = Extract<Change, { op: 'put' }>;

/** A file with several names, or whose owner could not be preserved: a new file in its place would differ. */
export function mustStayItself(target: string, { isReplacing }: Pick<Put, 'isReplacing'>): boolean {
  const now = lstatSync(target, { throwIfNoEntry: false });
  return now?.isFile() === true && ((now.nlink > 1 && !isReplacing) || !canGiveAway(now));
}

/** Whether a new file of ours can get this owner. */
function canGiveAway({ uid, gid }: { uid: number; gid: number }): boolean {
  const userId = process.geteuid?.() ?? 0;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return userId === 0 || (uid === userId && groups.includes(gid));
}

/** The temp name of a new file; the log has it before it exists, so that recovery finds it. */
export function newTemp(): string {
  return `.codelab-${randomId().slice(0, 18)}.tmp`;
}

export function newSlotId(): string {
  return `${Date.now()}-${randomId().slice(0, 12)}`;
}

export function itemOf(change: { intent: { trashId?: string | undefined } }): string {
  return change.intent.trashId?.split('/').at(-1) ?? '0';
}

/** The modes of the new folders of a set, by path. */
export function modesOfNew(intents: readonly Effect[]): ReadonlyMap<string, number> {
  const newFolders = intents.filter(({ op }) => op === 'mkdir');
  return new Map(newFolders.map(({ path, after }) => [path, modeToFill(after?.mode ?? defaultMode())]));
}

// The steps that make a change durable.

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Syncs writes to the disk without blocking the event loop. */
export const syncFd: (fd: number) => Promise<void> = promisify(fsync);

/** Makes changed names in a directory durable. A failure does not undo the change. */
async function flushDirectory(fd: number, path: string): Promise<void> {
  try {
    await syncFd(fd);
  } catch (error) {
    const text = `${path} was changed, but the disk does not confirm it (${errno(error)}). Look at it before going on.`;
    throw new ToolError('OUTCOME_UNKNOWN', text, { errno: errno(error) });
  }
}

/** The folders whose names a completed change affected. */
type ChangedNames = {
  change: { intent: Effect };
  place: Pick<Located, 'parent'>;
  from: Pick<Located, 'parent'> | undefined;
  above: Directory | undefined;
};

/** Syncs each folder once, however many of its names have changed. */
export async function syncParents(staged: readonly ChangedNames[]): Promise<void> {
  const done = new Set<string>();
  for (const { change, place, from, above } of staged) {
    for (const directory of [place.parent, above, from?.parent]) {
      if (directory === undefined || done.has(directory.real)) continue;
      done.add(directory.real);
      await flushDirectory(directory.fd, change.intent.path);
    }
  }
}

export async function syncFile(path: string): Promise<void> {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    await syncFd(fd);
  } finally {
    closeSync(fd);
  }
}

// Renames a file without ever replacing one: a hard link fails if the target appears at that moment.

// File systems without hard links, and files that may not have another name.
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Throws EEXIST when the target exists. A crash in between leaves both names, which recovery completes. With `leftName`, the same step
 * renames the old name to it; without links, a file of that name shows that the move has begun.
 */
export function moveWithoutReplacing(source: string, target: string, leftName?: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!noLinks.includes(errno(error) ?? '')) throw error;
    if (leftName !== undefined) writeFileSync(leftName, '', { flag: 'wx', mode: 0o600 });
    renameSync(source, target);
    return;
  }
  try {
    if (leftName === undefined) unlinkSync(source);
    else renameSync(source, leftName);
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
}

// A file with several names can't be swapped without splitting them. It is overwritten before it is truncated, so that a full disk never
// costs blocks that the old content needs; after a failure or crash it is repaired from its copy in the quarantine.
export function overwrite(target: string, bytes: Buffer, mode?: number, isSynced = true): void {
  const fd = openSync(target, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
    ftruncateSync(fd, bytes.length);
    if (mode !== undefined) fchmodSync(fd, mode);
    if (isSynced) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
