// Looks at the bare text of a line before any grammar does: what shells, screens and parsers disagree about is not run at all.
import { nameCodePoint } from '../misleading-text.ts';

const maxBytes = 64 * 1024;
const maxQuotes = 4000;
const maxHereDocs = 2000;
const maxOpen = 200;

// Everything a terminal or a shell may take for a separator or an instruction, except tab and newline.
const control = /[^\P{Cc}\t\n]|[\u2028\u2029]/u;

/** Why this line is never run; undefined when it can be read. */
export function checkText(line: string): string | undefined {
  if (line.length > maxBytes || Buffer.byteLength(line) > maxBytes)
    return 'The line is longer than 64 KiB. Put it into a file.';
  if (!line.isWellFormed()) return 'The line is not valid Unicode.';
  const found = control.exec(line);
  if (found)
    return `The line holds ${nameCodePoint(found[0])}, which shells and screens read in different ways.`;
  if (/(^|[^\\])(\\\\)*\\$/.test(line))
    return 'The line ends in the middle: nothing follows the last backslash.';
  if (count(line, /['"`]/g) > maxQuotes || count(line, /<</g) > maxHereDocs || deepest(line) > maxOpen)
    return 'The line is too intricate to be judged. Put it into a file.';
  return undefined;
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

/** How many brackets are open at once, at most, quoted or not. */
function deepest(line: string): number {
  let open = 0;
  let most = 0;
  for (const char of line) {
    if (char === '(' || char === '{' || char === '[') most = Math.max(most, ++open);
    else if (char === ')' || char === '}' || char === ']') open = Math.max(0, open - 1);
  }
  return most;
}
