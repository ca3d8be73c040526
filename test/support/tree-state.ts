// The entries of a folder in a comparable form: type, mode, link count, link target, content.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '@codelab/runtime';

export function treeState(folder: string, below = '.'): Record<string, string> {
  const path = join(folder, below);
  const stat = lstatSync(path);
  const common = `${(stat.mode & 0o7777).toString(8)} ${stat.uid}:${stat.gid} ×${stat.nlink}`;
  if (stat.isSymbolicLink()) return { [below]: `link ${common} → ${readlinkSync(path)}` };
  if (stat.isFile())
    return { [below]: `file ${common} ${stat.size > 1e8 ? stat.size : digest(readFileSync(path))}` };
  if (!stat.isDirectory()) return { [below]: `special ${common}` };
  const entries = readdirSync(path).map((name) => treeState(folder, join(below, name)));
  return Object.assign({ [below]: `directory ${common}` }, ...entries);
}
