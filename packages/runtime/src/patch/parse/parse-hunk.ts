/** Reads one hunk of a patch: its header, then exactly as many lines as the header promises. */
import type { ToolError } from '@codelab/protocol';
import { type PatchHunk, patchFailure } from '../file-patch.ts';

/** `hunk` is the number within the file. With `isCrlf`, header lines end with a `\r` that is not part of the file. */
type Where = { path: string; hunk: number; isCrlf: boolean };

/** `at` is the line of the header. */
export function parseHunk(
  lines: readonly string[],
  at: number,
  position: Where,
): { hunk: PatchHunk; next: number } {
  const hunk = parseHeader(lines[at] ?? '', at, position);
  let oldLeft = hunk.oldLines;
  let newLeft = hunk.newLines;
  let hasChange = false;
  let next = at + 1;
  while (oldLeft > 0 || newLeft > 0) {
    const line = lines[next];
    if (line === undefined) throw failure(cutOff(oldLeft, newLeft), next, position);
    // An empty line is an empty context line whose leading space was trimmed by an editor or a model.
    const sign = line === '' ? ' ' : line[0];
    if (sign !== '+') oldLeft--;
    if (sign !== '-') newLeft--;
    const isSign = sign === ' ' || sign === '-' || sign === '+';
    if (!isSign || oldLeft < 0 || newLeft < 0) throw failure(badLine(line, hunk), next, position);
    hasChange ||= sign !== ' ';
    hunk.lines.push(line === '' ? ' ' : line);
    next++;
    if (!lines[next]?.startsWith('\\')) continue;
    const isLast = (sign === '+' || oldLeft === 0) && (sign === '-' || newLeft === 0);
    if (!isLast || !isMarker(lines[next] ?? '')) throw failure(BAD_MARKER, next, position);
    hunk.lines.push(NO_NEWLINE);
    next++;
  }
  if (!hasChange) throw failure('The hunk changes nothing.', at, position);
  return { hunk, next };
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const MAX_NUMBER = 999_999_999;

function parseHeader(line: string, at: number, position: Where): PatchHunk {
  const header = HEADER.exec(line);
  if (header === null) throw failure('This is not a hunk header such as "@@ -1,2 +1,2 @@".', at, position);
  const oldStart = Number(header[1]);
  const oldLines = Number(header[2] ?? 1);
  const newStart = Number(header[3]);
  const newLines = Number(header[4] ?? 1);
  if (Math.max(oldStart, oldLines, newStart, newLines) > MAX_NUMBER)
    throw failure('A number of the hunk header is too large.', at, position);
  if ((oldStart === 0 && oldLines > 0) || (newStart === 0 && newLines > 0))
    throw failure('Lines are numbered from 1; 0 can only start an empty range.', at, position);
  if (oldLines === 0 && newLines === 0) throw failure('The hunk is empty.', at, position);

  const hunk = { oldStart, oldLines, newStart, newLines, lines: [] };
  const tail = line.slice(header[0].length);
  const section = (position.isCrlf && tail.endsWith('\r') ? tail.slice(0, -1) : tail).replace(/^ /, '');
  return section === '' ? hunk : { ...hunk, section };
}

/** As in git, only the backslash counts: the words depend on the language of the program that wrote the diff. */
function isMarker(line: string): boolean {
  return line.startsWith('\\ ') && line.length >= 11;
}

const BAD_MARKER =
  'Only "\\ No newline at end of file" may start so, and only after the last line of a file.';

function cutOff(oldLeft: number, newLeft: number): string {
  return `The patch is cut off: ${oldLeft} old and ${newLeft} new lines of the hunk are missing. Correct the counts after @@, or send the *** Begin Patch form, which has none.`;
}

function badLine(line: string, hunk: PatchHunk): string {
  const promise = `its header promises, ${hunk.oldLines} old and ${hunk.newLines} new ones`;
  return `The hunk does not hold the lines ${promise}; found ${JSON.stringify(line.slice(0, 120))}.`;
}

function failure(message: string, index: number, { path, hunk }: Where): ToolError {
  return patchFailure(message, { path, hunk, patchLine: index + 1 });
}

/** This line of a diff removes the final `\n` of the line above. */
const NO_NEWLINE = '\\ No newline at end of file';
