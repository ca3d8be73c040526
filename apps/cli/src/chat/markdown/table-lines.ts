// A Markdown table in columns. A table that is too wide gets narrower columns with more lines, and loses no text.
import { type CellAlign, readTable } from '@codelab/protocol';
import { displayWidth } from '../../output/text-width.ts';
import { type BlockSetting, blockLines } from './block-lines.ts';
import { inlineSpans } from './inline-spans.ts';
import { withLinks } from './path-links.ts';
import { paintSpans, spanText, type TextSpan, wrapSpans } from './span.ts';

const narrowest = 6;
const between = 3;

export function tableLines(lines: readonly string[], setting: BlockSetting): string[] {
  const table = readTable(lines);
  const width = setting.columns - between * ((table?.head.length ?? 1) - 1);
  if (table === undefined || width < table.head.length * narrowest)
    return lines.flatMap((line) => blockLines(line, setting));
  const { head, rows, aligns } = table;
  const cells = [
    head.map((cell) => inlineSpans(cell, ['bold'])),
    ...rows.map((row) => row.map((cell) => inlineSpans(cell))),
  ].map((row) => head.map((_, i) => withLinks(row[i] ?? [], setting.linkOf)));
  const widths = fit(
    head.map((_, i) => Math.max(1, ...cells.map((row) => displayWidth(spanText(row[i] ?? []))))),
    width,
  );
  const [first = [], ...rest] = cells.map((row) => rowLines(row, widths, aligns, setting));
  const rule = setting.paint('dim', widths.map((width) => '─'.repeat(width)).join('─┼─'));
  return [...first, rule, ...rest.flat()];
}

function fit(wantedWidths: readonly number[], available: number): number[] {
  const widths = [...wantedWidths];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

function rowLines(
  row: readonly (readonly TextSpan[])[],
  widths: readonly number[],
  aligns: readonly CellAlign[],
  { paint }: BlockSetting,
): string[] {
  const wrapped = row.map((spans, i) => wrapSpans(spans, widths[i] ?? narrowest));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    wrapped
      .map((lines, i) => padded(lines[at] ?? [], widths[i] ?? narrowest, aligns[i] ?? 'left', paint))
      .join(paint('dim', ' │ '))
      .trimEnd(),
  );
}

function padded(
  spans: readonly TextSpan[],
  width: number,
  align: CellAlign,
  paint: BlockSetting['paint'],
): string {
  const space = Math.max(0, width - displayWidth(spanText(spans)));
  const before = align === 'left' ? 0 : align === 'right' ? space : Math.floor(space / 2);
  return ' '.repeat(before) + paintSpans(spans, paint) + ' '.repeat(space - before);
}
