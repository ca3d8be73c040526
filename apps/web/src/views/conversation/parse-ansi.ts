// Output of programs made safe for the page: colours are kept as names, every other escape sequence is gone, what hides is shown.
import { visible } from '@codelab/protocol';

export type AnsiSpan = { text: string; color: AnsiColor | undefined; isBold: boolean };
export type AnsiColor = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'faint';

const colors: readonly (AnsiColor | undefined)[] = [
  'faint',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  undefined,
];

// CSI, OSC (ended by BEL or ST), and the short ones. An unfinished one at the end goes too.
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for.
  /\x1b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~]?)/g;

export function parseAnsi(text: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let look: Omit<AnsiSpan, 'text'> = { color: undefined, isBold: false };
  let at = 0;
  const put = (part: string): void => {
    if (part !== '') spans.push({ text: visible(overwritten(part)), ...look });
  };
  for (const found of text.matchAll(escapes)) {
    put(text.slice(at, found.index));
    at = found.index + found[0].length;
    if (found[2] === 'm') look = restyled(look, found[1] ?? '');
  }
  put(text.slice(at));
  return spans;
}

// A lone carriage return begins the line anew, as a terminal would show it.
function overwritten(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[^\n\r]*\r(?=[^\n])/g, '')
    .replaceAll('\r', '');
}

function restyled(look: Omit<AnsiSpan, 'text'>, codes: string): Omit<AnsiSpan, 'text'> {
  let { color, isBold } = look;
  for (const code of codes.split(/[;:]/).map(Number)) {
    if (code === 0) [color, isBold] = [undefined, false];
    if (code === 1) isBold = true;
    if (code === 22) isBold = false;
    if (code === 39) color = undefined;
    if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) color = colors[code % 10];
    // What follows picks from a palette or a colour space of its own.
    if (code === 38 || code === 48) break;
  }
  return { color, isBold };
}
