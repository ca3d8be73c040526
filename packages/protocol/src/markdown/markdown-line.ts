// One line of Markdown, classified: a heading, a rule, a quote, a list item, a fence, or text. Shared by the terminal, which prints line by
// line as a model writes, and the page, which builds a tree of blocks.

/** `indent` counts the spaces before the line. A quote has one `>` removed from its text. */
export type MarkdownLine =
  | { type: 'heading'; level: number; text: string }
  | { type: 'rule' }
  | { type: 'quote'; text: string }
  | { type: 'item'; indent: number; marker: string; number: number | undefined; text: string }
  | CodeFence
  | { type: 'text'; text: string };

export type CodeFence = { type: 'fence'; indent: number; mark: string; language: string };
export type MarkdownTask = { isDone: boolean | undefined; text: string };
export type CellAlign = 'left' | 'center' | 'right';
export type TableRows = { head: string[]; rows: string[][]; aligns: CellAlign[] };

export function readMarkdownLine(line: string): MarkdownLine {
  const fence = readFence(line);
  if (fence !== undefined) return fence;
  const heading = /^ {0,3}(#{1,6})\s+(.*)$/.exec(line);
  if (heading !== null) return { type: 'heading', level: heading[1]?.length ?? 1, text: title(heading[2]) };
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return { type: 'rule' };
  const quote = /^ {0,3}> ?(.*)$/.exec(line);
  if (quote !== null) return { type: 'quote', text: quote[1] ?? '' };
  const item = /^( *)([-*+]|(\d{1,9})[.)])\s+(.*)$/.exec(line);
  if (item === null) return { type: 'text', text: line };
  const [, spaces = '', marker = '', digits, text = ''] = item;
  const number = digits === undefined ? undefined : Number(digits);
  return { type: 'item', indent: spaces.length, marker, number, text };
}

/** Signs at the end of a heading close it, unless they belong to its last word, as in `C#`. */
function title(text = ''): string {
  return text
    .trimEnd()
    .replace(/(?:^|\s)#+$/, '')
    .trimEnd();
}

function readFence(line: string): CodeFence | undefined {
  const [, spaces = '', mark, info = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  // Backticks after the opening fence mean inline code, not a fence.
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined;
  const [language = ''] = info.trim().split(/\s/, 1);
  return { type: 'fence', indent: spaces.length, mark, language };
}

export function closesFence(line: string, { indent, mark }: CodeFence): boolean {
  const signs = line.trim();
  const isDeeper = line.search(/\S/) > indent + 3;
  return !isDeeper && signs.length >= mark.length && signs === mark.charAt(0).repeat(signs.length);
}

/** The text of a list item without the box that makes it a task. */
export function readTask(text: string): MarkdownTask {
  const box = /^\[([ xX])\]\s+/.exec(text);
  return box === null
    ? { isDone: undefined, text }
    : { isDone: box[1] !== ' ', text: text.slice(box[0].length) };
}

/** Undefined when the second line does not separate a head from rows. */
export function readTable([head = '', divider = '', ...rows]: readonly string[]): TableRows | undefined {
  if (!head.includes('|') || !divider.includes('|')) return undefined;
  const marks = cellsOf(divider);
  if (!marks.every((mark) => /^:?-+:?$/.test(mark))) return undefined;
  return { head: cellsOf(head), rows: rows.map(cellsOf), aligns: marks.map(alignOf) };
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function alignOf(mark: string): CellAlign {
  if (!mark.endsWith(':')) return 'left';
  return mark.startsWith(':') ? 'center' : 'right';
}
