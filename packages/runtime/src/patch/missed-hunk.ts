/** Says which hunk does not fit, what it expects and what stands there instead; always short. */
import type { ToolError } from '@codelab/protocol';
import { patchFailure } from './patch-failure.ts';
import type { HunkMiss } from './place-hunks.ts';

const SHOWN_LINES = 3;
const SHOWN_CHARACTERS = 160;

export function missedHunk(
  before: string,
  miss: HunkMiss,
  where: { path: string; hunks: number },
): ToolError {
  const { oldLines, offset } = miss;
  const present = offset === null ? [] : linesAt(before, offset, oldLines.length + SHOWN_LINES);
  const differing = oldLines.findIndex((line, index) => line !== present[index]);
  const from = differing === -1 ? oldLines.length : differing;
  const expected = oldLines.slice(from, from + SHOWN_LINES).map(shown);
  const found = present.slice(from, from + SHOWN_LINES).map(shown);
  const line = miss.line + from + 1;
  const message = [
    `${WHY[miss.why]} (hunk ${miss.hunk + 1} of ${where.hunks}, line ${line} of the file)`,
    `expected: ${expected.join(' ') || (oldLines.length > 0 ? END : 'such a line')}`,
    `found: ${found.join(' ') || END}`,
  ].join('\n');
  return patchFailure(message, { path: where.path, hunk: miss.hunk + 1 }, { line, expected, found });
}

const END = 'the end of the file';

const WHY: Record<HunkMiss['why'], string> = {
  differs: 'The old lines of the hunk are not in the file',
  'not at the start': 'The hunk starts at line 1, but the file does not start with its old lines',
  'not at the end': 'No context follows its last change, so the hunk must end the file, which ends otherwise',
  'two places':
    'The hunk only adds lines, and its old and its new line number name different places for them',
};

function linesAt(text: string, offset: number, count: number): string[] {
  const lines: string[] = [];
  let start = offset;
  while (lines.length < count && start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** Quoted, so that blanks and carriage returns at the end can be seen. */
function shown(line: string): string {
  const content = line.endsWith('\n') ? line.slice(0, -1) : line;
  const clipped = content.length <= SHOWN_CHARACTERS ? content : `${content.slice(0, SHOWN_CHARACTERS)}…`;
  return JSON.stringify(clipped) + (line.endsWith('\n') ? '' : ' (no newline)');
}
