// The space a tree takes on the disk: a sparse file counts its blocks. Links are not followed.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countPieces, type Steps } from '../../platform/steps.ts';

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
