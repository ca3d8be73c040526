// Breaks a line into lines of at most `width` columns, between words where it can. No character is lost.
import { displayWidth } from './display-width.ts';

export function wrapText(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of text.split(/(?<= )/)) {
    const needed = displayWidth(piece.trimEnd());
    if (used > 0 && used + needed > width && needed <= width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    for (const character of piece) {
      const columns = displayWidth(character);
      if (used + columns > width) {
        lines.push(line);
        line = '';
        used = 0;
      }
      line += character;
      used += columns;
    }
  }
  return [...lines, line];
}
