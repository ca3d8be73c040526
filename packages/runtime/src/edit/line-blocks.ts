/** Widens spans to whole lines: each block is a run of old lines and the text that takes its place. */
import type { Span } from './span.ts';

/** Places in the text before; lines end with `\n` only. Blocks do not overlap, but may touch. */
export type LineBlock = { start: number; end: number; text: string };

export function lineBlocks(before: string, spans: readonly Span[]): LineBlock[] {
  const blocks: LineBlock[] = [];
  const feedFrom = nextFeed(before);
  let open: OpenBlock | null = null;
  for (const span of spans) {
    if (open === null || !reaches(before, open, span.start)) {
      if (open !== null) blocks.push(close(before, open));
      // At 0, lastIndexOf would look at the first character.
      const start = span.start === 0 ? 0 : before.lastIndexOf('\n', span.start - 1) + 1;
      open = { start, end: start, at: start, text: '', isClosed: true };
    }
    extend(before, open, span, feedFrom);
  }
  if (open !== null) blocks.push(close(before, open));
  return blocks;
}

/** `text` goes as far as place `at` of the text before; `isClosed` when it ends with a whole line. */
type OpenBlock = LineBlock & { at: number; isClosed: boolean };

function reaches(before: string, { end, at, isClosed }: OpenBlock, start: number): boolean {
  if (start !== end) return start < end;
  const isInLine = start > 0 && before[start - 1] !== '\n';
  return isInLine || (at === end && !isClosed);
}

function extend(before: string, block: OpenBlock, span: Span, feedFrom: (place: number) => number): void {
  const { start, end, replacement } = span;
  block.text += before.slice(block.at, start) + replacement;
  if (replacement !== '') block.isClosed = replacement.endsWith('\n');
  else if (start > block.at) block.isClosed = before[start - 1] === '\n';
  block.at = end;
  const isLineStart = end === 0 || before[end - 1] === '\n';
  // A piece of a line would run into the next line, so that one belongs to the block as well.
  block.end = isLineStart && block.isClosed ? end : feedFrom(end);
}

function close(before: string, { start, end, at, text }: OpenBlock): LineBlock {
  return { start, end, text: text + before.slice(at, end) };
}

/** Where the line of a place ends; places rise, so that many spans in one long line cost one search. */
function nextFeed(before: string): (place: number) => number {
  let feed = -1;
  return (place) => {
    if (feed < place) feed = before.indexOf('\n', place);
    if (feed === -1) feed = Number.POSITIVE_INFINITY;
    return Math.min(feed + 1, before.length);
  };
}
