/** `section` is the text after the second `@@`, with its blank. */
export type DiffHunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  section: string;
  lines: string[];
};

/** One file of a diff: the lines above its hunks as they stand, and its hunks; a mere rename or new mode has none. */
export type DiffFile = { header: string[]; hunks: DiffHunk[] };
