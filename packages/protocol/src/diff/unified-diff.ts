// A unified diff as values: read, written, and applied. Lines keep their sign and their ending except for the line feed, so a CR stays
// where it was.

/** `section` is the text after the second `@@`, with its blank. */
export type DiffHunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  section: string;
  lines: readonly string[];
};

/** One file: the lines above its hunks unchanged, and its hunks; a plain rename or mode change has none. */
export type DiffFile = { header: readonly string[]; hunks: readonly DiffHunk[] };

type OpenHunk = DiffHunk & { lines: string[] };
type OpenFile = DiffFile & { header: string[]; hunks: OpenHunk[] };

/** The counts in a hunk's header say where the hunk ends, so no line of a file can pass for a header. */
export function readDiff(text: string): DiffFile[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  const files: OpenFile[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const hunk = readHeader(line);
    if (hunk !== undefined) {
      at = readLines(lines, at + 1, hunk);
      if (files.length === 0) files.push({ header: [], hunks: [] });
      files.at(-1)?.hunks.push(hunk);
      continue;
    }
    if (isStart(line, files.at(-1))) files.push({ header: [], hunks: [] });
    files.at(-1)?.header.push(line);
    at++;
  }
  return files;
}

function isStart(line: string, current: DiffFile | undefined): boolean {
  return current === undefined || current.hunks.length > 0 || line.startsWith('diff --git ');
}

function readHeader(line: string): OpenHunk | undefined {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/s.exec(line);
  if (match === null) return undefined;
  const [, oldStart, oldLines = '1', newStart, newLines = '1', section = ''] = match;
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    section,
    lines: [],
  };
}

/** Returns the line after the hunk. */
function readLines(lines: readonly string[], start: number, hunk: OpenHunk): number {
  let { oldLines: oldLeft, newLines: newLeft } = hunk;
  let at = start;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const isMark = line.startsWith('\\');
    if (!isMark && oldLeft <= 0 && newLeft <= 0) return at;
    hunk.lines.push(line);
    if (!isMark && !line.startsWith('+')) oldLeft--;
    if (!isMark && !line.startsWith('-')) newLeft--;
  }
  return at;
}

/** The numbers are those that hold when only these hunks are applied. */
export function writeDiff(files: readonly DiffFile[]): string {
  const lines = files.flatMap(({ header, hunks }) => [...header, ...recount(hunks).flatMap(hunkLines)]);
  return lines.map((line) => `${line}\n`).join('');
}

export function hunkHeader({ oldStart, oldLines, newStart, newLines, section }: DiffHunk): string {
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${section}`;
}

function recount(hunks: readonly DiffHunk[]): DiffHunk[] {
  let growth = 0;
  return hunks.map((hunk) => {
    const { before, after } = hunkSides(hunk.lines);
    const linesBefore = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const newStart = startOf(linesBefore + growth, after.length);
    growth += after.length - before.length;
    return {
      ...hunk,
      oldStart: startOf(linesBefore, before.length),
      oldLines: before.length,
      newStart,
      newLines: after.length,
    };
  });
}

/** A range is numbered by its first line, an empty range by the line before it. */
function startOf(linesBefore: number, count: number): number {
  return count === 0 ? linesBefore : linesBefore + 1;
}

function hunkLines(hunk: DiffHunk): string[] {
  return [hunkHeader(hunk), ...hunk.lines];
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}

/** The lines a hunk removes and the lines it adds, each with its line feed except a last one without. */
export function hunkSides(lines: readonly string[]): { before: string[]; after: string[] } {
  const before: string[] = [];
  const after: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('\\')) continue;
    const text = lines[at + 1]?.startsWith('\\') ? line.slice(1) : `${line.slice(1)}\n`;
    if (!line.startsWith('+')) before.push(text);
    if (!line.startsWith('-')) after.push(text);
  }
  return { before, after };
}

/** A text with hunks applied exactly at their stated lines. Undefined when the text does not have their old lines there. */
export function applyHunks(text: string, hunks: readonly DiffHunk[]): string | undefined {
  const lines = text === '' ? [] : text.split(/(?<=\n)/);
  const parts: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const { before, after } = hunkSides(hunk.lines);
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < at || before.some((line, i) => lines[start + i] !== line)) return undefined;
    parts.push(lines.slice(at, start).join(''), after.join(''));
    at = start + before.length;
  }
  return [...parts, lines.slice(at).join('')].join('');
}
