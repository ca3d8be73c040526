/** The text a hunk takes away and the text it puts there, with what says where it may stand. */
import type { Hunk } from './hunks.ts';

export type HunkSides = {
  oldText: string;
  newText: string;
  /** Each with its `\n`, but for a last one without. */
  oldLines: string[];
  /** Context after the last change; null when there is no context at all. */
  trailing: number | null;
  /** One of the sides ends without `\n`, so nothing can follow it. */
  isLast: boolean;
};

export function hunkSides({ lines }: Pick<Hunk, 'lines'>): HunkSides {
  const oldLines: string[] = [];
  const newLines: string[] = [];
  let trailing = 0;
  let hasContext = false;
  let isLast = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const sign = line[0];
    const isOpen = lines[index + 1]?.[0] === '\\';
    if (sign === '\\') continue;
    const text = isOpen ? line.slice(1) : `${line.slice(1)}\n`;
    if (sign !== '+') oldLines.push(text);
    if (sign !== '-') newLines.push(text);
    trailing = sign === ' ' ? trailing + 1 : 0;
    hasContext ||= sign === ' ';
    isLast ||= isOpen;
  }
  return {
    oldText: oldLines.join(''),
    newText: newLines.join(''),
    oldLines,
    trailing: hasContext ? trailing : null,
    isLast,
  };
}
