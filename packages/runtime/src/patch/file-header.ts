import type { FilePatch } from './file-patch.ts';

/** What stands above the hunks of one file; `next` is the first line after it. */
export type FileHeader = Omit<FilePatch, 'hunks'> & {
  /** Every header line ends with `\r`, as in a patch that was mailed with such line ends. */
  isCrlf: boolean;
  /** The header ends with `---` and `+++`, so hunks must follow. */
  promisesHunks: boolean;
  next: number;
};
