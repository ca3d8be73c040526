// A unified diff as values. Lines keep their sign and whatever ends them but the line feed, so a CR stays where it was.

/** `section` is the text after the second `@@`, with its blank. */
export type DiffHunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  section: string;
  lines: readonly string[];
};

/** One file: the lines above its hunks as they stand, and its hunks; a mere rename or new mode has none. */
export type DiffFile = { header: readonly string[]; hunks: readonly DiffHunk[] };
