import type { DiffFile } from '@codelab/protocol';

// How many lines a file of a diff gains and loses.

const known = new WeakMap<DiffFile, { added: number; removed: number }>();

export function countLines(file: DiffFile): { added: number; removed: number } {
  const counted = known.get(file) ?? count(file);
  known.set(file, counted);
  return counted;
}

function count({ hunks }: DiffFile): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines } of hunks)
    for (const line of lines) {
      if (line.startsWith('+')) added++;
      if (line.startsWith('-')) removed++;
    }
  return { added, removed };
}
