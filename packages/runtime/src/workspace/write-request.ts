// What a single-file write needs to know.
import type { CommitLock } from './commit-lock.ts';
import type { Located } from './locate.ts';

export type WriteRequest = {
  place: Located;
  bytes: Buffer;
  /** The identity of the file the plan saw, or `absent`. */
  expected: string;
  root: string;
  /** The temp file's name, known to the log before it exists. */
  temp: string;
  home: string;
  lock: CommitLock;
  signal: AbortSignal;
};
