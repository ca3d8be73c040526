// What replaces hidden files, and how much may be written to folders that are not kept.
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** Replaces a hidden file: most programs accept an empty file. */
export function emptyFile(home: string): string {
  return standIn(join(home, 'empty'), 0o400);
}

/** An unreadable file, used where git would take an empty file for a change and commit it. */
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

/** Limit of each folder in memory: enough for a build, and never all of the memory. */
export function scratchBytes(): number {
  const most = 1024 ** 3;
  return Math.min(most, Math.floor(totalmem() / 8));
}
