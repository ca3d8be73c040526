// What the times of a file tell about when it was changed. A content is dated by the time it was modified, a name or mode by the time the
// file was changed at all, what is gone by the folder it was in.
import { dirname } from 'node:path';
import type { Difference } from './compare-trees.ts';
import { grainOf, type TreeEntry } from './tree-entry.ts';
import type { Tree } from './walk-tree.ts';

export type Clue = {
  /** When it happened, as the file's clock tells it, and how much later it may have been. */
  at: number;
  grain: number;
  device: number;
} & (
  | { kind: 'exact' }
  /** The latest of several things that happened, of which this is one. */
  | { kind: 'latest' }
  /** `bytes` were written at `at`, or since `since`; unless it was only cut off. */
  | { kind: 'content'; since: number; bytes: number; mayBeCut: boolean }
);

export type Looks = { before: Tree; after: Tree; root: TreeEntry; from: number; to: number };

/** All that must hold if one hand made the change; none when nothing tells. */
export function cluesTo({ path, before, after }: Difference, looks: Looks): Clue[] {
  if (after === undefined) return [latest(folderOf(path, looks), 'mtimeMs')];
  const isNew = before === undefined || before.ino !== after.ino;
  // It has kept its times on the way: a folder above it was moved.
  if (isNew && after.ctimeMs + grainOf(after.ctimeMs) < looks.from) return movedWith(path, looks);
  if (after.type === 'directory') return [folderClue(after, isNew, looks)];
  const content = contentClue(before, after, isNew, looks);
  const isNamed = isNew || before.mode !== after.mode;
  if (content === undefined) return [exact(after, 'ctimeMs')];
  return isNamed ? [content, exact(after, 'ctimeMs')] : [content];
}

/** Undefined when the content is as it was, or its time was set by hand, as `touch -d`, `tar` and `cp -p` do. */
function contentClue(
  before: TreeEntry | undefined,
  after: TreeEntry,
  isNew: boolean,
  looks: Looks,
): Clue | undefined {
  const { mtimeMs, bornMs, size, diskBytes } = after;
  if (!isNew && before?.mtimeMs === mtimeMs) return undefined;
  if (!isMeanwhile(mtimeMs, looks)) return undefined;
  const wasBornMeanwhile = isMeanwhile(bornMs, looks);
  if (wasBornMeanwhile && bornMs > mtimeMs + grainOf(mtimeMs)) return undefined;
  const at = exact(after, 'mtimeMs');
  if (after.type !== 'file' || size === 0) return at;
  if (isNew)
    return {
      ...at,
      kind: 'content',
      since: wasBornMeanwhile ? bornMs : looks.from,
      bytes: Math.min(size, diskBytes),
      mayBeCut: false,
    };
  const grown = Math.min(size - (before?.size ?? 0), diskBytes);
  const since = grown > 1 ? looks.from : mtimeMs;
  return { ...at, kind: 'content', since, bytes: Math.max(1, grown), mayBeCut: grown < 0 };
}

// What happens in a folder changes its times as well.
function folderClue(after: TreeEntry, isNew: boolean, looks: Looks): Clue {
  if (isNew && isMeanwhile(after.bornMs, looks)) return exact(after, 'bornMs');
  return after.ctimeMs > after.mtimeMs ? exact(after, 'ctimeMs') : latest(after, 'ctimeMs');
}

function movedWith(path: string, { before, after, from }: Looks): Clue[] {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const now = after.entries.get(at);
    const isMoved = now !== undefined && now.ino !== before.entries.get(at)?.ino;
    if (isMoved && now.ctimeMs + grainOf(now.ctimeMs) >= from) return [latest(now, 'ctimeMs')];
  }
  return [];
}

/** The nearest folder that is still there. */
function folderOf(path: string, { after, root }: Looks): TreeEntry {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const found = after.entries.get(at);
    if (found?.type === 'directory') return found;
  }
  return root;
}

function isMeanwhile(time: number, { from, to }: Looks): boolean {
  return time + grainOf(time) >= from && time <= to + 1;
}

type Time = 'mtimeMs' | 'ctimeMs' | 'bornMs';

function exact(entry: TreeEntry, time: Time): Clue {
  return { kind: 'exact', at: entry[time], grain: grainOf(entry[time]), device: entry.device };
}

function latest(entry: TreeEntry, time: Time): Clue {
  return { ...exact(entry, time), kind: 'latest' };
}
