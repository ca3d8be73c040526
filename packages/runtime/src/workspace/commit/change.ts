// One change to the workspace as the code that makes it sees it, and the steps that make it last on the disk. Effects are what the log
// keeps of it.
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

/** What a set of changes is made with: where, for which call, and who is told of it. */
export type ChangeContext = {
  workspace: Workspace;
  home: string;
  lock: CommitLock;
  session: string;
  callId: string;
  /** Where old things are kept. */
  slot: string;
  signal: AbortSignal;
  /** Work that may end after the call has; `closing` tells it to stop. */
  later(work: Promise<void>): void;
  closing: AbortSignal;
  onRecorded(work: () => void): void;
  report(progress: Record<string, unknown>): void;
};

/** New content: bytes with the mode the file shall have, the target of a symbolic link, or a thing kept in the quarantine. */
export type NewContent = { bytes: Buffer; mode: number } | { link: string } | { kept: string };

/** A file with several names gets its new content under all of them; `isReplacing`: only under this one, which it then has for itself.
 * `expected` is the identity of what the plan found at the path, or `absent`. `intent.trashId` is the item old things are kept as.
 * `old` is what the plan has read, where it is at hand. */
export type Change =
  | {
      op: 'put';
      intent: Effect;
      expected: string;
      source: NewContent;
      temp: string;
      old?: Buffer;
      isReplacing?: true;
      /** When the file at the path was made, in nanoseconds: its inode number may be another file's by the next start. Known to journals alone. */
      born?: string;
      /** The identity of the new file that waits under the temp name; giving it its real name changes that. Known to journals alone. */
      made?: string;
    }
  | { op: 'remove'; intent: Effect; expected: string; temp: string }
  | {
      op: 'move';
      intent: Effect;
      expected: string;
      expectedFrom: string;
      /** Where something is due at its old place: what its old name becomes meanwhile, beside the new one. It proves that the move has come so far. */
      temp?: string;
    }
  | { op: 'mkdir'; intent: Effect }
  | { op: 'rmdir'; intent: Effect };

export function intentsOf(changes: readonly Change[]): Effect[] {
  return changes.map((change) =>
    'temp' in change ? { ...change.intent, temp: change.temp } : change.intent,
  );
}

/** What stands at a place, in the form effects record it. */
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
  return contentDigest === undefined ? state : { ...state, digest: contentDigest };
}

/** With the digest of a file that is not too large to be read for it; of a link, the text it holds is its content. */
export function fileStateAt(place: Located, stat: BigIntStats): FileState {
  const at = place.parent.at(place.name);
  if (stat.isSymbolicLink()) return fileState(stat, digest(readlinkSync(at)));
  if (!stat.isFile() || stat.size > maxDigested) return fileState(stat);
  try {
    using file = openRegular(place);
    return fileState(stat, digest(readWhole(file, place.asked)));
  } catch {
    // Not ours to read; it can be moved and removed all the same.
    return fileState(stat);
  }
}

/** Which files are rewritten in place instead of being replaced. */
type Put = Extract<Change, { op: 'put' }>;

/** A file with several names, or one whose owner could not be kept: another file in its place would not be the same. */
export function mustStayItself(target: string, { isReplacing }: Pick<Put, 'isReplacing'>): boolean {
  const now = lstatSync(target, { throwIfNoEntry: false });
  return now?.isFile() === true && ((now.nlink > 1 && !isReplacing) || !canGiveAway(now));
}

/** Could a file of ours be made to belong to whom this one belongs to? */
function canGiveAway({ uid, gid }: { uid: number; gid: number }): boolean {
  const userId = process.geteuid?.() ?? 0;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return userId === 0 || (uid === userId && groups.includes(gid));
}

/** The name of a file of ours while it is under way; the log knows it before it exists, so that recovery finds it. */
export function newTemp(): string {
  return `.codelab-${randomId().slice(0, 18)}.tmp`;
}

export function newSlotId(): string {
  return `${Date.now()}-${randomId().slice(0, 12)}`;
}

export function itemOf(change: { intent: { trashId?: string | undefined } }): string {
  return change.intent.trashId?.split('/').at(-1) ?? '0';
}

/** The modes that the folders of a set are made with, by their paths. */
export function modesOfNew(intents: readonly Effect[]): ReadonlyMap<string, number> {
  const made = intents.filter(({ op }) => op === 'mkdir');
  return new Map(made.map(({ path, after }) => [path, modeToFill(after?.mode ?? defaultMode())]));
}

// The steps that make a change last.

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Making sure that what was written is on the disk, without holding up the event loop. */
export const syncFd: (fd: number) => Promise<void> = promisify(fsync);

/** Makes the names in a directory durable, after they have changed: when this fails, the change is made all the same. */
async function flushDirectory(fd: number, path: string): Promise<void> {
  try {
    await syncFd(fd);
  } catch (error) {
    const text = `${path} was changed, but the disk does not confirm it (${errno(error)}). Look at it before going on.`;
    throw new ToolError('OUTCOME_UNKNOWN', text, { errno: errno(error) });
  }
}

/** A change that was made: the folders whose names it changed. */
type ChangedNames = {
  change: { intent: Effect };
  place: Pick<Located, 'parent'>;
  from: Pick<Located, 'parent'> | undefined;
  above: Directory | undefined;
};

/** Each folder once, however many names in it have changed. */
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

// Gives a file another name, but never in the place of something: a link refuses to replace what appears at this very moment.

// File systems without hard links, and files that may not have another.
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Throws EEXIST when something is there. A crash in between leaves both names, which recovery completes. With `leftName`, the old name
 * becomes that one in the same step; without links, a file of that name says that the move was begun.
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

// A file with several names can't be swapped without splitting them. It is written over before it is cut, so that a full disk
// never costs blocks the old content needs; its copy in the quarantine is what a failure or a crash is mended from.
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
