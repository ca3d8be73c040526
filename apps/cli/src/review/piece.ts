import type { DiffFile, DiffHunk } from '@codelab/protocol';

/** What is decided about at once: a hunk, a part of one, or a file that changes without hunks. */
export type Piece = {
  file: DiffFile;
  /** The number of the whole hunk in the diff, from 1 across files. */
  number: number;
  hunk: DiffHunk | undefined;
};
