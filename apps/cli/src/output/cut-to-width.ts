// One line that fits: what is too long ends in an ellipsis.
import { displayWidth } from './display-width.ts';

export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += displayWidth(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}
