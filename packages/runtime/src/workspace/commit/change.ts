// One change to the workspace as the code that makes it sees it. Effects are what the log keeps of it.

import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import type { Effect, FileState } from '@codelab/protocol';
import { digest, randomId } from '../../platform/digest.ts';
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

/** Is what stands at a place the state before an effect, the one after it, or neither? */
export type FoundState = 'old' | 'new' | 'other';
export type PathState = { path: string; found: FoundState };

export function compareState(effect: Effect, place: Located): FoundState {
  // The same before and after, but for its mode or its inode: looked at last, as the new one.
  if (isState(effect.after, place)) return 'new';
  return isState(effect.before, place) ? 'old' : 'other';
}

function isState(state: FileState | null, place: Located): boolean {
  const { stat } = place;
  if (state === null || stat === undefined) return state === null && stat === undefined;
  switch (state.type) {
    case 'directory':
      return stat.isDirectory();
    case 'symlink':
      return stat.isSymbolicLink() && digest(readlinkSync(place.parent.at(place.name))) === state.digest;
    case 'file':
      return stat.isFile() && isFile(state, place);
    case 'other':
      return !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink();
  }
}

// The size is compared first: the file may be larger than can be read.
function isFile(state: FileState, place: Located): boolean {
  if (Number(place.stat?.size) !== state.size) return false;
  if (Number((place.stat?.mode ?? 0n) & 0o7777n) !== state.mode) return false;
  if (state.digest === undefined) return true;
  using file = openRegular(place);
  return digest(readWhole(file, place.path)) === state.digest;
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
  const own = process.geteuid?.() ?? 0;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return own === 0 || (uid === own && groups.includes(gid));
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
