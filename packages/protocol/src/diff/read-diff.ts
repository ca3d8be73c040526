// A unified diff, file by file. The counts in a hunk's header say where it ends, so no line of a file can pose as one.
import type { DiffFile, DiffHunk } from './diff-file.ts';

type OpenHunk = DiffHunk & { lines: string[] };
type OpenFile = DiffFile & { header: string[]; hunks: OpenHunk[] };

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
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/s.exec(line);
  if (found === null) return undefined;
  const [, oldStart, oldLines = '1', newStart, newLines = '1', section = ''] = found;
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    section,
    lines: [],
  };
}

/** Where the hunk ends. */
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
