// Cuts Markdown into its outermost blocks, as source. A stream only ever changes the last one, so the others need not be read again.
const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^ {0,3}([-*+]|\d{1,9}[.)])\s/;

export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let held: string[] = [];
  let closing: RegExp | undefined;
  const flush = (): void => {
    if (held.length > 0) blocks.push(held.join('\n'));
    held = [];
  };
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (closing !== undefined) {
      held.push(line);
      if (closing.test(line)) {
        closing = undefined;
        flush();
      }
      continue;
    }
    const opening = fence.exec(line)?.[1];
    if (opening !== undefined) {
      flush();
      held.push(line);
      closing = new RegExp(`^ {0,3}${opening[0]}{${opening.length},}\\s*$`);
    } else if (line.trim() === '') flush();
    else if (/^#{1,6}\s/.test(line)) {
      flush();
      blocks.push(line);
    } else held.push(line);
  }
  flush();
  return joinLists(blocks);
}

// Items of one list may stand apart, and what is indented below an item belongs to it.
function joinLists(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const isInList = last !== undefined && listItem.test(last);
    if (isInList && (/^ {2,}\S/.test(block) || listItem.test(block)))
      joined[joined.length - 1] = `${last}\n\n${block}`;
    else joined.push(block);
  }
  return joined;
}
