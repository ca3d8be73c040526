// The whole diff for a person: line numbers, colours, hidden characters as marks, long lines wrapped but never cut.
import { type Diff, type DiffHunk, hunkHeader, readDiff, visible } from '@codelab/protocol';
import type { Paint, Style } from '../output/paint.ts';
import { wrapText } from '../output/text-width.ts';

type DiffLine =
  | { type: 'file' | 'remark'; text: string }
  | { type: 'hunk' | 'context' | 'added' | 'removed'; number: number; text: string };

const lineStyles = {
  context: { sign: ' ', style: 'reset' },
  added: { sign: '+', style: 'green' },
  removed: { sign: '−', style: 'red' },
} as const satisfies Record<string, { sign: string; style: Style }>;

/** `isNamed`: the file's name is shown above, so a diff of one file needs no header. */
export function diffText(
  diff: Diff,
  { columns, paint, isNamed = false }: { columns: number; paint: Paint; isNamed?: boolean },
): string[] {
  const allLines = parseDiffLines(diff.text);
  const isOne = allLines.filter(({ type, text }) => type === 'file' && text.startsWith('+++ ')).length === 1;
  const parsed = isNamed && isOne ? allLines.filter(({ type }) => type !== 'file') : allLines;
  const isCrlf = hasOnlyCrlf(parsed);
  const lines = parsed.flatMap((line) => lineText(line, { diff, columns, paint, isCrlf }));
  if (isCrlf) lines.push(paint('dim', 'Every line above ends in CR LF.'));
  if (diff.truncated) lines.push(paint(['bold', 'yellow'], 'The diff is longer than what is shown here.'));
  return lines;
}

/** Hunks are numbered from 1 across files, lines as in their file. */
function parseDiffLines(text: string): DiffLine[] {
  let number = 0;
  return readDiff(text).flatMap(({ header, hunks }) => [
    ...header.map((line): DiffLine => ({ type: 'file', text: line })),
    ...hunks.flatMap((hunk): DiffLine[] => [
      { type: 'hunk', number: ++number, text: hunkHeader(hunk) },
      ...hunkLines(hunk),
    ]),
  ]);
}

function hunkLines({ oldStart, newStart, lines }: DiffHunk): DiffLine[] {
  let oldAt = oldStart;
  let newAt = newStart;
  return lines.map((line): DiffLine => {
    const text = line.slice(1);
    if (line.startsWith('\\')) return { type: 'remark', text: line };
    if (line.startsWith('-')) return { type: 'removed', number: oldAt++, text };
    if (line.startsWith('+')) return { type: 'added', number: newAt++, text };
    oldAt++;
    return { type: 'context', number: newAt++, text };
  });
}

type Setting = { diff: Diff; columns: number; paint: Paint; isCrlf: boolean };

function lineText(line: DiffLine, { diff, columns, paint, isCrlf }: Setting): string[] {
  switch (line.type) {
    case 'file':
      return wrapText(visible(line.text).trimEnd(), columns).map((text) => paint('bold', text));
    case 'hunk':
      return [
        paint('cyan', diff.hunks > 1 ? `hunk ${line.number} of ${diff.hunks}  ${line.text}` : line.text),
      ];
    case 'remark':
      return [paint('dim', `     ${visible(line.text)}`)];
    case 'context':
    case 'added':
    case 'removed': {
      const { sign, style } = lineStyles[line.type];
      const text = isCrlf ? line.text.slice(0, -1) : line.text;
      return wrapText(showTabs(visible(text)), columns - 7).map((part, i) => {
        // The mark of a wrapped line is in the margin, where no text of a file can be.
        const gutter = i === 0 ? `${String(line.number).padStart(4)} ` : '   ⋮ ';
        return paint('dim', gutter) + paint(style, `${sign} ${part}`);
      });
    }
  }
}

function hasOnlyCrlf(lines: readonly DiffLine[]): boolean {
  const texts = lines.flatMap((line) => ('number' in line && line.type !== 'hunk' ? [line.text] : []));
  return texts.length > 0 && texts.every((text) => text.endsWith('\r'));
}

function showTabs(text: string): string {
  return text.replaceAll('\t', '⇥   ');
}
