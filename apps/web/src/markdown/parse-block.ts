// One block of Markdown as a tree. What is not understood stays text.
import { splitBlocks } from './split-blocks.ts';

export type Block =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'code'; language: string; text: string; isClosed: boolean }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'list'; isOrdered: boolean; start: number; items: Item[] }
  | { type: 'table'; head: string[]; rows: string[][] }
  | { type: 'rule' };

export type Item = { isDone: boolean | undefined; blocks: Block[] };

const deepest = 8;

export function parseBlock(source: string, depth = 0): Block[] {
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
  if (depth < deepest && first.startsWith('>')) return quoteOf(lines, depth);
  if (depth < deepest && markOf(first) !== undefined) return [listOf(lines, depth)];
  const table = tableOf(lines);
  if (table !== undefined) return [table];
  return paragraphOf(lines, depth);
}

function rest(lines: readonly string[], from: number, depth: number): Block[] {
  const left = lines.slice(from);
  return left.length === 0 ? [] : parseBlock(left.join('\n'), depth);
}

function codeOf(lines: readonly string[], language: string, fence: string): Block {
  const last = lines.at(-1)?.trim() ?? '';
  const isClosed = lines.length > 1 && last.startsWith(fence) && last.replaceAll(fence[0] ?? '`', '') === '';
  const text = lines.slice(1, isClosed ? -1 : undefined).join('\n');
  return { type: 'code', language: language.toLowerCase(), text, isClosed };
}

function quoteOf(lines: readonly string[], depth: number): Block[] {
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

function listOf(lines: readonly string[], depth: number): Block {
  const first = markOf(lines[0] ?? '');
  const groups: { text: string; inner: string[] }[] = [];
  for (const line of lines) {
    const mark = markOf(line);
    if (mark !== undefined && mark.indent <= (first?.indent ?? 0) + 1)
      groups.push({ text: mark.text, inner: [] });
    else groups.at(-1)?.inner.push(line);
  }
  const items = groups.map(({ text, inner }): Item => {
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

function tableOf(lines: readonly string[]): Block | undefined {
  const [head = '', marks = ''] = lines;
  if (!head.includes('|') || !/^\s*\|?[\s:|-]*-[\s:|-]*$/.test(marks) || !marks.includes('|'))
    return undefined;
  const rows = lines.slice(2).map(cellsOf);
  return { type: 'table', head: cellsOf(head), rows };
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

// A list, quote or rule may follow without a blank line between.
function paragraphOf(lines: readonly string[], depth: number): Block[] {
  const end = lines.findIndex(
    (line, i) =>
      i > 0 && (line.startsWith('>') || /^ {0,3}[-*+]\s/.test(line) || /^ {0,3}1[.)]\s/.test(line)),
  );
  if (end < 0 || depth >= deepest) return [{ type: 'paragraph', text: lines.join('\n') }];
  return [{ type: 'paragraph', text: lines.slice(0, end).join('\n') }, ...rest(lines, end, depth)];
}
