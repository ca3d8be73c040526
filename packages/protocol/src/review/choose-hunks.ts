// Applies a choice of hunks: whether it fits a diff, and the resulting text.
import type { HunkChoice } from '../decision.ts';
import { commonLines } from '../diff/diff-lines.ts';
import { type DiffHunk, hunkSides } from '../diff/unified-diff.ts';

type Hunk = Pick<DiffHunk, 'oldStart' | 'oldLines' | 'lines'>;

/** Why the choice does not fit these hunks, numbered from 1; a file without hunks counts as one undefined hunk. */
export function choiceFault(
  hunks: readonly (Pick<Hunk, 'lines'> | undefined)[],
  { take, edits = [] }: HunkChoice,
): string | undefined {
  if (take.some((number) => number > hunks.length))
    return `There are ${hunks.length} hunks, numbered from 1.`;
  const takenNumbers = new Set(take);
  const edited = new Set<number>();
  for (const { hunk: number, text } of edits) {
    if (!takenNumbers.has(number)) return `Hunk ${number} is edited but not taken.`;
    if (edited.has(number)) return `Hunk ${number} is edited twice.`;
    edited.add(number);
    const hunk = hunks[number - 1];
    if (hunk === undefined) return `Number ${number} is a file without hunks, so there is no text to edit.`;
    if (!canEndWith(hunk, text))
      return `The text of hunk ${number} must end with a line feed: only the last line of a file may lack it.`;
  }
  return undefined;
}

/** The text with the chosen hunks applied. The choice must fit the hunks, and the hunks the text. */
export function chosenText(before: string, hunks: readonly Hunk[], { take, edits = [] }: HunkChoice): string {
  const lines = splitLines(before);
  const takenNumbers = new Set(take);
  const texts = new Map(edits.map(({ hunk, text }) => [hunk, text]));
  const parts: string[] = [];
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    if (!takenNumbers.has(index + 1)) continue;
    const sides = hunkSides(hunk.lines);
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    for (let line = at; line < start; line++) parts.push(lines[line] ?? '');
    parts.push(texts.get(index + 1) ?? sides.after.join(''));
    at = start + sides.before.length;
  }
  for (let line = at; line < lines.length; line++) parts.push(lines[line] ?? '');
  return parts.join('');
}

/** The hunk with another text in the place of its old lines. */
export function rewriteHunk<H extends Pick<DiffHunk, 'oldLines' | 'newLines' | 'lines'>>(
  hunk: H,
  text: string,
): H {
  const { before } = hunkSides(hunk.lines);
  const after = splitLines(text);
  const lines: string[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const [oldEnd, newEnd] of [...commonLines(before, after), [before.length, after.length] as const]) {
    lines.push(...before.slice(oldAt, oldEnd).flatMap((line) => signed('-', line)));
    lines.push(...after.slice(newAt, newEnd).flatMap((line) => signed('+', line)));
    const same = before[oldEnd];
    if (same !== undefined && newEnd < after.length) lines.push(...signed(' ', same));
    oldAt = oldEnd + 1;
    newAt = newEnd + 1;
  }
  return { ...hunk, oldLines: before.length, newLines: after.length, lines };
}

/** Cut after each line feed only; a lone carriage return is content, as in git. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function canEndWith({ lines }: Pick<Hunk, 'lines'>, text: string): boolean {
  return text === '' || text.endsWith('\n') || lines.some((line) => line.startsWith('\\'));
}

function signed(sign: string, line: string): string[] {
  return line.endsWith('\n')
    ? [`${sign}${line.slice(0, -1)}`]
    : [`${sign}${line}`, '\\ No newline at end of file'];
}
