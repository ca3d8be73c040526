// The draft wrapped to the screen, with the place of the cursor. Of a long draft, the part around the cursor is shown.

import type { Paint } from '../../output/paint.ts';
import { shownText } from '../../output/shown-text.ts';
import { displayWidth, graphemesOf } from '../../output/text-width.ts';
import { type Draft, pasteLabel } from './draft.ts';

export type DraftLines = { lines: string[]; cursor: { row: number; column: number } };

type Setting = { columns: number; rows: number; paint: Paint };

const margin = 2;
// The mark of a hidden character, such as ⟨U+E0001⟩.
const longestMark = 9;

export function draftLines(draft: Draft, { columns, rows, paint }: Setting): DraftLines {
  const width = Math.max(8, columns - margin);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  let cursor = { row: 0, column: 0 };
  const end = (): void => {
    lines.push(line);
    line = '';
    used = 0;
  };
  let at = 0;
  for (const character of charactersOf(draft.text)) {
    const label = pasteLabel(character, draft);
    const glyph = label ?? shownOf(character.replace(/\n$/, ''));
    const needed = displayWidth(glyph);
    if (used > 0 && used + needed > width) end();
    if (at <= draft.cursor) cursor = { row: lines.length, column: used };
    line += label === undefined ? glyph : paint('dim', glyph);
    used += needed;
    at += character.length;
    if (character.endsWith('\n')) end();
  }
  if (used >= width) end();
  if (draft.cursor >= at) cursor = { row: lines.length, column: used };
  end();
  return cropped(lines, cursor, { rows, paint });
}

// A character that is shown as several marks may be wrapped between two of them.
function* charactersOf(text: string): Iterable<string> {
  for (const character of graphemesOf(text))
    if (displayWidth(shownOf(character)) <= longestMark) yield character;
    else yield* character;
}

function shownOf(character: string): string {
  return shownText(character).replaceAll('\n', '⏎').replaceAll('\t', '  ');
}

function cropped(
  lines: readonly string[],
  cursor: DraftLines['cursor'],
  { rows, paint }: Pick<Setting, 'rows' | 'paint'>,
): DraftLines {
  const first = Math.max(0, Math.min(cursor.row - Math.floor(rows / 2), lines.length - rows));
  const shownLines = lines.slice(first, first + rows).map((line, i) => {
    const sign = first + i === 0 ? paint(['bold', 'cyan'], '❯ ') : '  ';
    return sign + line;
  });
  return { lines: shownLines, cursor: { row: cursor.row - first, column: cursor.column + margin } };
}
