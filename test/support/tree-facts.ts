// All properties of a tree that a copy should have: type, mode, owner, times, content, holes, and which names are the same file.
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { digest } from '@codelab/runtime';

/** By path below the folder, in Latin-1 so that names that are not UTF-8 stay distinct. */
export function treeFacts(folder: string): Record<string, string> {
  const facts: Record<string, string> = {};
  const firstNames = new Map<bigint, string>();
  const describe = (path: Buffer, below: string): void => {
    const stat = lstatSync(path, { bigint: true });
    const first = firstNames.get(stat.ino) ?? below;
    firstNames.set(stat.ino, first);
    facts[below] =
      `${common(stat)} ${stat.isDirectory() ? '' : `×${stat.nlink} is ${first} `}${content(path, stat)}`;
    if (!stat.isDirectory()) return;
    const names = readdirSync(path, { encoding: 'buffer' }).sort(Buffer.compare);
    for (const name of names)
      describe(Buffer.concat([path, Buffer.from('/'), name]), `${below}/${name.toString('latin1')}`);
  };
  describe(Buffer.from(folder), '.');
  return facts;
}

function common(stat: BigIntStats): string {
  // Node sets times to about 0.2 µs.
  const time = (stat.mtimeNs + 5_000n) / 10_000n;
  return `${stat.mode.toString(8)} ${stat.uid}:${stat.gid} @${time}`;
}

function content(path: Buffer, stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return `→ ${readlinkSync(path, { encoding: 'buffer' }).toString('latin1')}`;
  if (!stat.isFile()) return '';
  const hasHoles = stat.blocks * 512n < stat.size;
  return `${stat.size} bytes ${digest(readFileSync(path))}${hasHoles ? ' with holes' : ''}`;
}
