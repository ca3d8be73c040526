// Lines up cells under each other, two spaces apart; the last cell of a row runs free.
import { displayWidth } from './display-width.ts';

export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.slice(0, -1).entries())
      widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
  return rows.map((row) =>
    row
      .map((cell, i) =>
        i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - displayWidth(cell)),
      )
      .join('  ')
      .trimEnd(),
  );
}
