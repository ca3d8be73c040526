// The /tmp that the commands of one workspace share and nobody else sees. It is emptied when it was not used for a day.
import { lstatSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../platform/digest.ts';
import { Directory } from '../workspace/directory.ts';
import { removeTree } from '../workspace/tree.ts';

const unusedMs = 24 * 60 * 60 * 1000;

export function privateTmp(home: string, root: string): string {
  const folder = join(home, 'tmp');
  const name = sha256(root).slice(0, 16);
  // Its own folder is what tells when it was last used; a command can't reach it.
  const holder = join(folder, name);
  const stat = lstatSync(holder, { throwIfNoEntry: false });
  if (stat !== undefined && Date.now() - stat.mtimeMs > unusedMs) empty(folder, name);
  mkdirSync(join(holder, 'tmp'), { recursive: true, mode: 0o700 });
  const now = Date.now() / 1000;
  utimesSync(holder, now, now);
  return join(holder, 'tmp');
}

function empty(folder: string, name: string): void {
  try {
    using parent = Directory.openRoot(folder);
    removeTree(parent, name);
  } catch {
    // What resists stays; it is no reason not to run a command.
  }
}
