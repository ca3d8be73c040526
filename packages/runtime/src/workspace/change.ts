// One change to the workspace as the code that makes it sees it. Effects are what the log keeps of it.
import type { Effect } from '@codelab/protocol';
import type { CommitLock } from './commit-lock.ts';
import type { Workspace } from './workspace.ts';

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
export type Source = { bytes: Buffer; mode: number } | { link: string } | { kept: string };

/** A file with several names gets its new content under all of them; `isReplacing`: only under this one, which it then has for itself.
 * `expected` is the identity of what the plan found at the path, or `absent`. `intent.trashId` is the item old things are kept as.
 * `old` is what the plan has read, where it is at hand. */
export type Change =
  | {
      op: 'put';
      intent: Effect;
      expected: string;
      source: Source;
      temp: string;
      old?: Buffer;
      isReplacing?: true;
    }
  | { op: 'remove'; intent: Effect; expected: string; temp: string }
  | { op: 'move'; intent: Effect; expected: string; expectedFrom: string }
  | { op: 'mkdir'; intent: Effect }
  | { op: 'rmdir'; intent: Effect };

export function intentsOf(changes: readonly Change[]): Effect[] {
  return changes.map((change) =>
    'temp' in change ? { ...change.intent, temp: change.temp } : change.intent,
  );
}
