// A tree of mount points with its table, kept in the state folder under the hash of what it is, so that it is made once.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { randomId, sha256 } from '../../platform/digest.ts';
import type { MountPoint, MountTable } from './mount-table.ts';

const most = 64;

export function writeSkeleton(folder: string, drawing: MountTable): { skeleton: string; table: string } {
  const own = join(folder, sha256(JSON.stringify(drawing)).slice(0, 32));
  const places = { skeleton: join(own, 'tree'), table: join(own, 'table') };
  if (existsSync(own)) return places;
  forgetOld(folder);
  const temp = join(folder, `new-${randomId()}`);
  for (const point of drawing.points) make(join(temp, 'tree'), point);
  writeFileSync(join(temp, 'table'), drawing.table, { mode: 0o600 });
  try {
    renameSync(temp, own);
  } catch (error) {
    // Another process was first, with the same.
    rmSync(temp, { recursive: true });
    if (!existsSync(own)) throw error;
  }
  return places;
}

function make(tree: string, { path, as }: MountPoint): void {
  const full = join(tree, path);
  mkdirSync(as === 'folder' ? full : dirname(full), { recursive: true, mode: 0o755 });
  if (as === 'file') writeFileSync(full, '');
  else if (as !== 'folder') symlinkSync(readlinkSync(as.linkFrom), full);
}

// Each is a few empty folders, made again in a moment.
function forgetOld(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== 'root');
  if (names.length < most) return;
  // The trees that were made last are likely to be in use.
  const born = new Map(names.map((name) => [name, lstatSync(join(folder, name)).mtimeMs]));
  const oldest = names.toSorted((a, b) => (born.get(a) ?? 0) - (born.get(b) ?? 0)).slice(0, most / 2);
  for (const name of oldest) rmSync(join(folder, name), { recursive: true, force: true });
}
