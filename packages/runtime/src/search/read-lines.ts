// Reads the text of matching lines by descriptor below the searched directory. If the tree was changed during the search, no byte from
// outside is returned, and a line that has changed is left out.
import { readSync } from 'node:fs';
import type { Directory } from '../workspace/directory.ts';
import type { RegularFile } from '../workspace/read-bytes.ts';
import { openBelow } from '../workspace/trees/ignore-rules.ts';
import { type FoundText, lineWindow } from './line-window.ts';
import type { Hit } from './search-request.ts';

const blockBytes = 256 * 1024;
const lookAroundBytes = 1024;
// ripgrep's offsets do not count a byte order mark.
const byteOrderMark = Buffer.from('\ufeff');

export type MatchedLine = FoundText & { path: string; line: number } & Around;

/** The lines before and after a match, where requested. */
type Around = { before?: string[]; after?: string[] };

/** `hits` are sorted by path. */
export function readLines(root: Directory, hits: readonly Hit[], contextLines = 0): MatchedLine[] {
  using folders = openFolders(root);
  const lines: MatchedLine[] = [];
  for (let i = 0; i < hits.length; ) {
    const path = hits[i]?.path ?? '';
    let end = i;
    while (hits[end]?.path === path) end++;
    using file = folders.open(path);
    if (file !== undefined) lines.push(...linesOfOpen(file.fd, hits.slice(i, end), contextLines));
    i = end;
  }
  return lines;
}

/** The lines of one file; `hits` are in file order. */
export function linesOfOpen(fd: number, hits: readonly Hit[], contextLines = 0): MatchedLine[] {
  const read = readerOf(fd, hits);
  let skipped = 0;
  return hits.flatMap((hit) => {
    const { path, line, offset, start, match } = hit;
    const isThere = (): boolean => read(offset + skipped, match.length).equals(match);
    if (!isThere()) {
      skipped = read(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
      if (!isThere()) return [];
    }
    const beginning = offset + skipped - start;
    const window = lineWindow(hit, (from, length) => read(beginning + from, length));
    return [{ path, line, ...window, ...(contextLines > 0 && linesAround(fd, beginning, contextLines)) }];
  });
}

const aroundBytes = 16 * 1024;
const shownChars = 400;

/** `beginning` is the start of the matching line; context further away than a few kilobytes is left out. */
function linesAround(fd: number, beginning: number, contextLines: number): Around {
  const from = Math.max(0, beginning - aroundBytes);
  const earlier = readAt(fd, from, beginning - from)
    .toString()
    .split('\n')
    .slice(0, -1);
  const later = readAt(fd, beginning, aroundBytes).toString().replace(/\n$/, '').split('\n').slice(1);
  // The first line is incomplete unless the read began at the start of the file.
  const wholeLines = from === 0 ? earlier : earlier.slice(1);
  const shorten = (line: string): string => {
    const text = line.replace(/\r$/, '');
    return text.length > shownChars ? `${text.slice(0, shownChars)}…`.toWellFormed() : text;
  };
  return {
    before: wholeLines.slice(-contextLines).map(shorten),
    after: later.slice(0, contextLines).map(shorten),
  };
}

type Read = (position: number, length: number) => Buffer;

// Matches close to each other are read at once.
function readerOf(fd: number, hits: readonly Hit[]): Read {
  const [first, last] = [hits[0], hits.at(-1)];
  const from = Math.max(0, (first?.offset ?? 0) - Math.min(first?.start ?? 0, lookAroundBytes));
  const to = (last?.offset ?? 0) + lookAroundBytes;
  const block = to - from > blockBytes ? undefined : readAt(fd, from, to - from);
  return (position, length) => {
    const at = position - from;
    const isInside = block !== undefined && at >= 0 && at + length <= block.length;
    return isInside ? block.subarray(at, at + length) : readAt(fd, position, length);
  };
}

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
}

type Folders = Disposable & { open(path: string): RegularFile | undefined };

/** Opens the folders of a path by descriptor; folders that the next path shares stay open. */
function openFolders(root: Directory): Folders {
  const openFolders: { name: string; folder: Directory }[] = [];
  const leave = (keep: number): void => {
    for (const { folder } of openFolders.splice(keep).reverse()) folder[Symbol.dispose]();
  };
  return {
    open(path) {
      const names = path.split('/');
      const name = names.pop() ?? '';
      const shared = names.findIndex((name, i) => openFolders[i]?.name !== name);
      leave(shared < 0 ? names.length : shared);
      try {
        for (const next of names.slice(openFolders.length))
          openFolders.push({ name: next, folder: (openFolders.at(-1)?.folder ?? root).openBelow(next) });
      } catch {
        return undefined;
      }
      return openBelow(openFolders.at(-1)?.folder ?? root, name);
    },
    [Symbol.dispose]: () => leave(0),
  };
}
