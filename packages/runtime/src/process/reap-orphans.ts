// Ends what a host that was killed has left running, known by the mark in the environment. Returns how many processes there were.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Owner } from '@codelab/protocol';
import { isAlive, isSeenAlive } from '../platform/process-identity.ts';
import { childrenFolder } from './children.ts';
import { endFamily } from './end-family.ts';
import { findFamily } from './family.ts';

const graceMs = 1000;

export async function reapOrphans(home: string): Promise<number> {
  const folder = childrenFolder(home);
  let ended = 0;
  for (const name of hostFiles(folder)) {
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

/** Processes that have started children and live, as this machine counts them. */
export function livingHosts(home: string): number[] {
  const folder = childrenFolder(home);
  return hostFiles(folder).flatMap((name) => {
    const owner = readOwner(join(folder, name));
    return owner !== undefined && isSeenAlive(owner) ? [owner.pid] : [];
  });
}

function hostFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((one) => /^[0-9a-f]{32}\.json$/.test(one));
}

function readOwner(file: string): Owner | undefined {
  try {
    return Owner().parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Another host was faster.
    return undefined;
  }
}
