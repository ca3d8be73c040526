// Forgets old outputs of commands: those of more than two weeks ago, and the oldest when there is more than a gigabyte of them.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const mostMs = 14 * 24 * 60 * 60 * 1000;
const mostBytes = 1024 ** 3;

export function pruneOutput(folder: string): void {
  const files = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ path, size: stat.size, at: stat.mtimeMs }] : [];
  });
  let total = 0;
  for (const { path, size, at } of files.sort((a, b) => b.at - a.at)) {
    total += size;
    if (total > mostBytes || Date.now() - at > mostMs) rmSync(path, { force: true });
  }
}
