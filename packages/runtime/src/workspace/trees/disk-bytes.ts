// Measures of a whole tree: the space it takes on the disk, and what it holds. Links are not followed.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '../../platform/digest.ts';
import { countPieces, type Steps } from '../../platform/steps.ts';
import { type Directory, type Name, readNames } from '../directory.ts';

/** A sparse file counts its blocks. */
export function* diskBytes(folder: string): Steps<number> {
  const pieces = countPieces();
  const open = [folder];
  let total = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    total += stat.blocks * 512;
    if (stat.isDirectory()) for (const name of namesIn(path)) open.push(join(path, name));
    yield* pieces.pause(1);
  }
  return total;
}

// A folder that we may not read counts as empty.
function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** What is in a folder, and when the newest of its files was written; a copy differs in times by a rounding. */
export type Inside = { inside: string; mtimeMs: number };

export const nothingInside = digest('');

export function* insideOf(parent: Directory, name: Name): Steps<Inside> {
  const pieces = countPieces();
  const hash = createHash('sha256');
  let newest = 0n;
  function* visit(folder: Directory): Steps<void> {
    const names = (yield* readNames(folder, pieces)).map((entry) => entry.name);
    for (const each of names.sort((a, b) => (String(a) < String(b) ? -1 : 1))) {
      const stat = lstatSync(folder.at(each), { bigint: true });
      const size = stat.isDirectory() ? '' : stat.size;
      const target = stat.isSymbolicLink() ? readlinkSync(folder.at(each)) : '';
      hash.update(`${JSON.stringify([String(each), String(stat.mode), String(size), target])}\n`);
      if (stat.isFile() && stat.mtimeNs > newest) newest = stat.mtimeNs;
      yield* pieces.pause(1 / 8);
      if (!stat.isDirectory()) continue;
      using below = folder.openBelow(each);
      yield* visit(below);
      hash.update('\n');
    }
  }
  using folder = parent.openBelow(name);
  yield* visit(folder);
  return { inside: `sha256:${hash.digest('hex')}`, mtimeMs: Number(newest / 1_000_000n) };
}
