// A hunk that a human rewrites: its new lines in a field of a page, or all of it in an editor as with `e` in `git add -p`.
import { commonLines } from '../diff/diff-lines.ts';
import { type DiffHunk, hunkSides } from '../diff/unified-diff.ts';
import { visibleLine } from '../text/visible.ts';
import { rewriteHunk } from './choose-hunks.ts';

/** The new lines for a field, which knows only line feeds; undefined when a field would change them. */
export function hunkFieldText({ lines }: Pick<DiffHunk, 'lines'>): string | undefined {
  const texts = hunkSides(lines).after.map(withoutEnding);
  return texts.some((text) => text.includes('\r')) ? undefined : texts.join('\n');
}

/**
 * The hunk with the text of a field as its new lines. Line endings are restored: each line keeps its own, new lines get the most frequent one.
 * Undefined when nothing would change any more.
 */
export function hunkFromField(hunk: DiffHunk, field: string): DiffHunk | undefined {
  const { before, after } = hunkSides(hunk.lines);
  const text = withEndings(field === '' ? [] : field.split('\n'), after, before).join('');
  return text === before.join('') ? undefined : rewriteHunk(hunk, text);
}

/** The hunk as saved by the editor, or a description of its fault. Undefined when the text was emptied. */
export function hunkFromEditor(hunk: DiffHunk, edited: string): DiffHunk | string | undefined {
  const lines = edited
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#') && !line.startsWith('@@'))
    // Some editors remove the blank at the start of an empty context line.
    .map((line) => (line === '' || line === '\r' ? ` ${line}` : line));
  if (lines.every((line) => line.trim() === '')) return undefined;
  const fault = editorFault(lines, hunk);
  if (fault !== undefined) return fault;
  const { before, after } = hunkSides(lines);
  return { ...hunk, oldLines: before.length, newLines: after.length, lines };
}

function editorFault(lines: readonly string[], hunk: DiffHunk): string | undefined {
  const strange = lines.find((line) => !/^[-+ \\]/.test(line));
  if (strange !== undefined)
    return `A line must begin with a blank, "-", "+" or "#": ${visibleLine(strange)}`;
  if (lines.every((line) => !/^[-+]/.test(line)))
    return 'The edited hunk changes nothing. Answer n to skip it.';
  const { before, after } = hunkSides(lines);
  const expected = hunkSides(hunk.lines).before;
  const missed = expected.findIndex((line, i) => before[i] !== line);
  if (missed >= 0)
    return `The edited hunk does not apply: line ${missed + hunk.oldStart} of the file must stay in it, with a blank or "-" before it.`;
  if (before.length > expected.length)
    return `The edited hunk does not apply: the file does not hold ${visibleLine(before[expected.length] ?? '')}`;
  const isOpenInside = [before, after].some((side) => side.slice(0, -1).some((line) => !line.endsWith('\n')));
  const isAtEnd = hunk.lines.some((line) => line.startsWith('\\'));
  const isOpen = lines.some((line) => line.startsWith('\\'));
  if (isOpenInside || (isOpen && !isAtEnd))
    return 'The edited hunk does not apply: only the last line of a file can lack its newline.';
  return undefined;
}

function withoutEnding(line: string): string {
  return line.replace(/\r?\n$/, '');
}

function withEndings(
  texts: readonly string[],
  after: readonly string[],
  before: readonly string[],
): string[] {
  const ended = [...after, ...before].filter((line) => line.endsWith('\n'));
  const crlf = ended.filter((line) => line.endsWith('\r\n')).length;
  const usual = crlf * 2 > ended.length ? '\r\n' : '\n';
  const isOpen = after.length > 0 && !after.at(-1)?.endsWith('\n');
  const endings = new Map<number, string>();
  for (const [oldAt, newAt] of commonLines(after.map(withoutEnding), texts)) {
    const line = after[oldAt] ?? '';
    if (line.endsWith('\n')) endings.set(newAt, line.slice(withoutEnding(line).length));
  }
  return texts.map((text, at) =>
    isOpen && at === texts.length - 1 ? text : `${text}${endings.get(at) ?? usual}`,
  );
}
