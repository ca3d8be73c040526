// One block of Markdown as a tree. What is not understood stays text.
import { splitBlocks } from './split-blocks.ts';

export type MarkdownBlock =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'code'; language: string; text: string; isClosed: boolean }
  | { type: 'quote'; blocks: MarkdownBlock[] }
  | { type: 'list'; isOrdered: boolean; start: number; items: MarkdownItem[] }
  | { type: 'table'; head: string[]; rows: string[][]; aligns: Align[] }
  | { type: 'math'; source: string }
  | { type: 'rule' };

export type Align = 'left' | 'center' | 'right';
export type MarkdownItem = { isDone: boolean | undefined; blocks: MarkdownBlock[] };

const deepest = 8;

export function parseBlock(source: string, depth = 0): MarkdownBlock[] {
  const lines = source.split('\n');
  const [first = ''] = lines;
  const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/.exec(first);
  if (fence !== null) return [codeOf(lines, fence[2] ?? '', fence[1] ?? '```')];
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(first);
  if (heading !== null)
    return [
      { type: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' },
      ...rest(lines, 1, depth),
    ];
  if (/^ {0,3}([-*_])( *\1){2,}\s*$/.test(first)) return [{ type: 'rule' }, ...rest(lines, 1, depth)];
  const math = mathOf(lines, depth);
  if (math !== undefined) return math;
  if (depth < deepest && first.startsWith('>')) return quoteOf(lines, depth);
  if (depth < deepest && markOf(first) !== undefined) return [listOf(lines, depth)];
  const table = tableOf(lines);
  if (table !== undefined) return [table];
  return paragraphOf(lines, depth);
}

function rest(lines: readonly string[], from: number, depth: number): MarkdownBlock[] {
  const left = lines.slice(from);
  return left.length === 0 ? [] : parseBlock(left.join('\n'), depth);
}

function codeOf(lines: readonly string[], language: string, fence: string): MarkdownBlock {
  const last = lines.at(-1)?.trim() ?? '';
  const isClosed = lines.length > 1 && last.startsWith(fence) && last.replaceAll(fence[0] ?? '`', '') === '';
  const text = lines.slice(1, isClosed ? -1 : undefined).join('\n');
  return { type: 'code', language: language.toLowerCase(), text, isClosed };
}

/** A formula between `$$` or `\\[` and `\\]`, on lines of its own; one without its end is text. */
function mathOf(lines: readonly string[], depth: number): MarkdownBlock[] | undefined {
  const start = /^\s*(?:\$\$|\\\[)/.exec(lines[0] ?? '')?.[0];
  if (start === undefined) return undefined;
  const end = start.endsWith('$') ? '$$' : '\\]';
  const whole = lines.join('\n').slice(start.length);
  const at = whole.indexOf(end);
  const source = whole.slice(0, Math.max(0, at)).trim();
  const [line = '', ...after] = whole.slice(at + end.length).split('\n');
  if (at < 0 || source === '' || line.trim() !== '') return undefined;
  return [{ type: 'math', source }, ...rest(after, 0, depth)];
}

function quoteOf(lines: readonly string[], depth: number): MarkdownBlock[] {
  const end = lines.findIndex((line) => !line.startsWith('>'));
  const quoted = end < 0 ? lines : lines.slice(0, end);
  const inner = quoted.map((line) => line.replace(/^> ?/, '')).join('\n');
  const blocks = splitBlocks(inner).flatMap((block) => parseBlock(block, depth + 1));
  return [{ type: 'quote', blocks }, ...(end < 0 ? [] : rest(lines, end, depth))];
}

type Mark = { indent: number; isOrdered: boolean; number: number; text: string };

function markOf(line: string): Mark | undefined {
  const found = /^( *)([-*+]|(\d{1,9})[.)])\s+(.*)$/.exec(line);
  if (found === null) return undefined;
  const [, indent = '', , number, text = ''] = found;
  return {
    indent: indent.length,
    isOrdered: number !== undefined,
    number: Number(number ?? 1),
    text,
  };
}

function listOf(lines: readonly string[], depth: number): MarkdownBlock {
  const first = markOf(lines[0] ?? '');
  const groups: { text: string; inner: string[] }[] = [];
  for (const line of lines) {
    const mark = markOf(line);
    if (mark !== undefined && mark.indent <= (first?.indent ?? 0) + 1)
      groups.push({ text: mark.text, inner: [] });
    else groups.at(-1)?.inner.push(line);
  }
  const items = groups.map(({ text, inner }): MarkdownItem => {
    const task = /^\[([ xX])\]\s+/.exec(text);
    const own = [task === null ? text : text.slice(task[0].length), ...outdent(inner)].join('\n');
    const blocks = splitBlocks(own)
      .flatMap((block) => splitTail(block))
      .flatMap((block) => parseBlock(block, depth + 1));
    return { isDone: task === null ? undefined : task[1] !== ' ', blocks };
  });
  return { type: 'list', isOrdered: first?.isOrdered ?? false, start: first?.number ?? 1, items };
}

// A list directly below an item's text is a block of its own.
function splitTail(block: string): string[] {
  const lines = block.split('\n');
  const at = lines.findIndex((line, i) => i > 0 && markOf(line) !== undefined);
  if (at < 0 || markOf(lines[0] ?? '') !== undefined || /^ {0,3}(`{3,}|~{3,})/.test(lines[0] ?? ''))
    return [block];
  return [lines.slice(0, at).join('\n'), lines.slice(at).join('\n')];
}

function outdent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(least));
}

function tableOf(lines: readonly string[]): MarkdownBlock | undefined {
  const [head = '', marks = ''] = lines;
  if (!isTableHead(head, marks)) return undefined;
  const rows = lines.slice(2).map(cellsOf);
  return { type: 'table', head: cellsOf(head), rows, aligns: cellsOf(marks).map(alignOf) };
}

function isTableHead(head: string, marks = ''): boolean {
  return head.includes('|') && marks.includes('|') && /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(marks);
}

function alignOf(mark: string): Align {
  if (!mark.endsWith(':')) return 'left';
  return mark.startsWith(':') ? 'center' : 'right';
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

// A list, quote, table or formula may follow without a blank line between.
function paragraphOf(lines: readonly string[], depth: number): MarkdownBlock[] {
  const end = lines.findIndex(
    (line, i) =>
      i > 0 &&
      (/^(?:>| {0,3}[-*+]\s| {0,3}1[.)]\s)/.test(line) ||
        isTableHead(line, lines[i + 1]) ||
        (/^(?:\$\$|\\\[)/.test(line) && mathOf(lines.slice(i), depth) !== undefined)),
  );
  if (end < 0 || depth >= deepest) return [{ type: 'paragraph', text: lines.join('\n') }];
  return [{ type: 'paragraph', text: lines.slice(0, end).join('\n') }, ...rest(lines, end, depth)];
}
