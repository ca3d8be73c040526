// Cuts Markdown into its outermost blocks, as source. Text that a stream adds changes only the last block, so a screen need not read the
// others again.
import { type CodeFence, closesFence, type MarkdownLine, readMarkdownLine } from './markdown-line.ts';

/** Indented further, a line belongs to the list item above it. */
export const deepestIndent = 3;

export function splitMarkdown(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: CodeFence | undefined;
  const flush = (): void => {
    if (lines.length > 0) blocks.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (fence !== undefined) {
      lines.push(line);
      if (!closesFence(line, fence)) continue;
      fence = undefined;
      flush();
      continue;
    }
    const read = readMarkdownLine(line);
    const opens = read.type === 'fence' && read.indent <= deepestIndent;
    if (line.trim() === '' || opens || read.type === 'heading') flush();
    if (line.trim() !== '') lines.push(line);
    if (opens) fence = read;
    if (read.type === 'heading') flush();
  }
  flush();
  return joinLists(blocks);
}

/** Blank lines may separate the items of one list, and an indented block below an item belongs to it. */
function joinLists(blocks: readonly string[]): string[] {
  const lists: string[][] = [];
  let isInList = false;
  for (const block of blocks) {
    const startsItem = isOuterItem(firstLine(block));
    if (isInList && (startsItem || /^ {2,}\S/.test(block))) lists.at(-1)?.push(block);
    else {
      lists.push([block]);
      isInList = startsItem;
    }
  }
  return lists.map((parts) => parts.join('\n\n'));
}

function isOuterItem(line: MarkdownLine): boolean {
  return line.type === 'item' && line.indent <= deepestIndent;
}

function firstLine(block: string): MarkdownLine {
  return readMarkdownLine(block.split('\n', 1)[0] ?? '');
}
