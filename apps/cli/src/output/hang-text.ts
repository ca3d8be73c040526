// Text behind a label, broken to the screen with the following lines under its beginning.
import { displayWidth } from './display-width.ts';
import { wrapText } from './wrap-text.ts';

const narrowest = 20;

export function hangText(label: string, text: string, columns: number): string[] {
  const indent = displayWidth(label);
  const lines = wrapText(text, Math.max(narrowest, columns - indent));
  return lines.map((line, i) => (i === 0 ? label : ' '.repeat(indent)) + line.trimEnd());
}
