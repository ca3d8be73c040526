// A tree of mount points with its table, stored in the state folder under the hash of its content, so that it is made once.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../../platform/database-lock.ts';
import { randomId, sha256 } from '../../platform/digest.ts';
import type { MountPoint, MountTable } from './mount-table.ts';

const maxSkeletons = 64;

export function writeSkeleton(folder: string, drawing: MountTable): { skeleton: string; table: string } {
  const treeFolder = join(folder, sha256(JSON.stringify(drawing)).slice(0, 32));
  const places = { skeleton: join(treeFolder, 'tree'), table: join(treeFolder, 'table') };
  if (existsSync(treeFolder)) return places;
  forgetOld(folder);
  const temp = join(folder, `new-${randomId()}`);
  for (const point of drawing.points) make(join(temp, 'tree'), point);
  writeFileSync(join(temp, 'table'), drawing.table, { mode: 0o600 });
  try {
    renameSync(temp, treeFolder);
  } catch (error) {
    // The same tree was just created by another process.
    rmSync(temp, { recursive: true });
    if (!existsSync(treeFolder)) throw error;
  }
  return places;
}

function make(tree: string, { path, as }: MountPoint): void {
  const full = join(tree, path);
  ensureFolder(as === 'folder' ? full : dirname(full), 0o755);
  if (as === 'file') writeFileSync(full, '');
  else if (as !== 'folder') symlinkSync(readlinkSync(as.linkFrom), full);
}

// A tree is only a few empty folders and quickly made again.
function forgetOld(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== 'root');
  if (names.length < maxSkeletons) return;
  // The newest trees are likely to be in use.
  const createdAt = new Map(names.map((name) => [name, lstatSync(join(folder, name)).mtimeMs]));
  const oldest = names
    .toSorted((a, b) => (createdAt.get(a) ?? 0) - (createdAt.get(b) ?? 0))
    .slice(0, maxSkeletons / 2);
  for (const name of oldest) rmSync(join(folder, name), { recursive: true, force: true });
}
