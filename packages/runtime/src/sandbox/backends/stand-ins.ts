// What stands where something is hidden, and how much may be written where nothing is kept.
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** What stands in for a hidden file: most programs take an empty one for one with nothing in it. */
export function emptyFile(home: string): string {
  return standIn(join(home, 'empty'), 0o400);
}

/** Where git would take an empty file for a change and commit it. */
export function closedFile(home: string): string {
  return standIn(join(home, 'closed'), 0);
}

function standIn(path: string, mode: number): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size === 0) return path;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, '', { mode });
  return path;
}

export function isFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isDirectory();
}

/** For each folder in memory: enough to build in, and never all the memory there is. */
export function scratchBytes(): number {
  const most = 1024 ** 3;
  return Math.min(most, Math.floor(totalmem() / 8));
}
