/** Names each difference that a match overlooked, for the human who decides about it. */
import { splitLines } from '../patch/lines.ts';
import { foldTypography } from './fold-typography.ts';
import { cutLine } from './name-differences.ts';
import { trimBlanks } from './tolerant-match.ts';

/** Both texts have as many lines. */
export function nameTolerances(matched: string, wanted: string): string[] {
  const names = new Set<string>();
  const matchedLines = splitLines(matched);
  for (const [index, line] of splitLines(wanted).entries()) {
    const asked = cutLine(line);
    const found = cutLine(matchedLines[index] ?? '');
    if (found.ending !== asked.ending) names.add('line endings');
    const [foldedFound, foldedAsked] = [foldTypography(found.content), foldTypography(asked.content)];
    if (foldedFound !== foldedAsked) names.add('trailing blanks');
    const length = Math.min(trimBlanks(foldedFound).length, trimBlanks(foldedAsked).length);
    for (let at = 0; at < length; at++) {
      if (found.content[at] !== asked.content[at]) names.add(KIND[foldedFound[at] ?? ''] ?? KIND['-']);
    }
  }
  return [...names];
}

const KIND: Record<string, string> & { '-': string } = {
  "'": 'typographic quotes',
  '"': 'typographic quotes',
  '-': 'typographic dashes',
  ' ': 'no-break spaces',
};
