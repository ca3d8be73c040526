// Parses one block of Markdown into a tree. Anything that is not Markdown stays text.
import {
  type CellAlign,
  closesFence,
  type MarkdownLine,
  readMarkdownLine,
  readTable,
  readTask,
} from './markdown-line.ts';
import { deepestIndent, splitMarkdown } from './split-blocks.ts';

export type MarkdownBlock =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'code'; language: string; text: string; isClosed: boolean }
  | { type: 'quote'; blocks: MarkdownBlock[] }
  | { type: 'list'; isOrdered: boolean; start: number; items: MarkdownItem[] }
  | { type: 'table'; head: string[]; rows: string[][]; aligns: CellAlign[] }
  | { type: 'math'; source: string }
  | { type: 'rule' };

export type MarkdownItem = { isDone: boolean | undefined; blocks: MarkdownBlock[] };
type LineOf<Type> = Extract<MarkdownLine, { type: Type }>;
/** A block, and the number of lines it takes. */
type Taken = { block: MarkdownBlock; count: number };

const deepest = 8;
const longestFormula = 200;

export function parseMarkdownBlock(source: string, depth = 0): MarkdownBlock[] {
  const lines = source.split('\n');
  const blocks: MarkdownBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, count } = takeBlock(lines, at, depth);
    blocks.push(block);
    at += count;
  }
  return blocks;
}

function takeBlock(lines: readonly string[], at: number, depth: number): Taken {
  const first = readMarkdownLine(lines[at] ?? '');
  if (first.type === 'heading' || first.type === 'rule') return { block: first, count: 1 };
  if (first.type === 'fence' && first.indent <= deepestIndent) return takeCode(lines.slice(at), first);
  if (first.type === 'quote' && depth < deepest) return takeQuote(lines, at, depth);
  if (first.type === 'item' && depth < deepest)
    return { block: listOf(lines.slice(at), first, depth), count: lines.length - at };
  return takeMath(lines, at) ?? takeTable(lines, at) ?? takeParagraph(lines, at, depth);
}

function takeCode(lines: readonly string[], fence: LineOf<'fence'>): Taken {
  const isClosed = lines.length > 1 && closesFence(lines.at(-1) ?? '', fence);
  const text = lines.slice(1, isClosed ? -1 : undefined).join('\n');
  const block = { type: 'code', language: fence.language.toLowerCase(), text, isClosed } as const;
  return { block, count: lines.length };
}

/** A formula between `$$` or `\\[` and `\\]`, on separate lines; a formula without an end is text. */
function takeMath(lines: readonly string[], at: number): Taken | undefined {
  const start = /^\s*(?:\$\$|\\\[)/.exec(lines[at] ?? '')?.[0];
  if (start === undefined) return undefined;
  const end = start.endsWith('$') ? '$$' : '\\]';
  const text = lines
    .slice(at, at + longestFormula)
    .join('\n')
    .slice(start.length);
  const length = text.indexOf(end);
  const source = text.slice(0, Math.max(0, length)).trim();
  const [afterEnd = ''] = text.slice(length + end.length).split('\n', 1);
  if (length < 0 || source === '' || afterEnd.trim() !== '') return undefined;
  return { block: { type: 'math', source }, count: text.slice(0, length).split('\n').length };
}

function takeTable(lines: readonly string[], at: number): Taken | undefined {
  if (readTable(lines.slice(at, at + 2)) === undefined) return undefined;
  const table = readTable(lines.slice(at));
  return table && { block: { type: 'table', ...table }, count: lines.length - at };
}

function takeQuote(lines: readonly string[], at: number, depth: number): Taken {
  const quoted: string[] = [];
  for (let read = readMarkdownLine(lines[at] ?? ''); read.type === 'quote'; ) {
    quoted.push(read.text);
    read = readMarkdownLine(lines[at + quoted.length] ?? '');
  }
  const blocks = splitMarkdown(quoted.join('\n')).flatMap((block) => parseMarkdownBlock(block, depth + 1));
  return { block: { type: 'quote', blocks }, count: quoted.length };
}

function listOf(lines: readonly string[], first: LineOf<'item'>, depth: number): MarkdownBlock {
  const groups: { text: string; inner: string[] }[] = [];
  for (const line of lines) {
    const read = readMarkdownLine(line);
    if (read.type === 'item' && read.indent <= first.indent + 1) groups.push({ text: read.text, inner: [] });
    else groups.at(-1)?.inner.push(line);
  }
  const items = groups.map((group): MarkdownItem => {
    const { isDone, text } = readTask(group.text);
    const blocks = splitMarkdown([text, ...outdent(group.inner)].join('\n'))
      .flatMap((block) => splitTail(block))
      .flatMap((block) => parseMarkdownBlock(block, depth + 1));
    return { isDone, blocks };
  });
  return { type: 'list', isOrdered: first.number !== undefined, start: first.number ?? 1, items };
}

/** A list directly below an item's text is a separate block. */
function splitTail(block: string): string[] {
  const lines = block.split('\n');
  const types = lines.map((line) => readMarkdownLine(line).type);
  const at = types.indexOf('item', 1);
  if (at < 0 || types[0] === 'item' || types[0] === 'fence') return [block];
  return [lines.slice(0, at).join('\n'), lines.slice(at).join('\n')];
}

function outdent(lines: readonly string[]): string[] {
  const least = lines
    .filter((line) => line.trim() !== '')
    .reduce((indent, line) => Math.min(indent, line.length - line.trimStart().length), Infinity);
  return lines.map((line) => line.slice(least));
}

/** A list, quote, rule, table or formula may follow without a blank line between. */
function takeParagraph(lines: readonly string[], at: number, depth: number): Taken {
  let end = at + 1;
  while (end < lines.length && (depth >= deepest || !interrupts(lines, end))) end++;
  return { block: { type: 'paragraph', text: lines.slice(at, end).join('\n') }, count: end - at };
}

function interrupts(lines: readonly string[], at: number): boolean {
  const line = readMarkdownLine(lines[at] ?? '');
  if (line.type === 'quote' || line.type === 'rule') return true;
  // A line that begins with a number other than 1 is more often a sentence than a list.
  if (line.type === 'item') return line.indent <= deepestIndent && (line.number ?? 1) === 1;
  return readTable(lines.slice(at, at + 2)) !== undefined || isMathAtMargin(lines, at);
}

function isMathAtMargin(lines: readonly string[], at: number): boolean {
  return /^\S/.test(lines[at] ?? '') && takeMath(lines, at) !== undefined;
}
