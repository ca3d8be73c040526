// Ends what a host that was killed has left running, known by the mark in the environment. Returns how many processes there were.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Owner } from '@codelab/protocol';
import { isAlive } from '../workspace/process-identity.ts';
import { childrenFolder } from './children.ts';
import { endFamily } from './end-family.ts';
import { findFamily } from './family.ts';

const graceMs = 1000;

export async function reapOrphans(home: string): Promise<number> {
  const folder = childrenFolder(home);
  if (!existsSync(folder)) return 0;
  let ended = 0;
  for (const name of readdirSync(folder).filter((one) => /^[0-9a-f]{32}\.json$/.test(one))) {
    const owner = readOwner(join(folder, name));
    if (owner === undefined || isAlive(owner, home)) continue;
    const id = name.slice(0, -'.json'.length);
    const orphans = { pid: 0, marker: `${id}.`, bornAt: 0 };
    ended += findFamily(orphans).length;
    await endFamily(orphans, { graceMs });
    rmSync(join(folder, id), { recursive: true, force: true });
    rmSync(join(folder, name), { force: true });
  }
  return ended;
}

function readOwner(file: string): Owner | undefined {
  try {
    return Owner().parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Another host was faster.
    return undefined;
  }
}
