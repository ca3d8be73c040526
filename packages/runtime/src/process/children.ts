// The shared state of all children of one host: the mark in their environment, their output pipes, and a file in the state folder that
// lists them, so that the next host can end them if this one is killed.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Owner } from '@codelab/protocol';
import { ensureFolder } from '../platform/database-lock.ts';
import { randomId } from '../platform/digest.ts';
import { isAlive, isSeenAlive, thisProcess } from '../platform/system.ts';
import { type Ancestor, endFamily, findFamily, signalFamily } from './family/family.ts';
import { createPipes, type Pipes } from './pipes.ts';

export type Children = Disposable & {
  readonly pipes: Pipes;
  /** A mark for one child and all its descendants; no other process has it. */
  newMarker(): string;
  /** Until disposed, the child is killed when this process exits without ending it. */
  guard(child: Ancestor): Disposable;
  /** Ends all guarded children. */
  endAll(how: { graceMs: number }): Promise<void>;
};

// Children of all hosts in this process.
const guardedHere = new Set<Ancestor>();

/** The sessions of this process's children; the leader of each has the same number. */
export function childSessions(): number[] {
  return [...guardedHere].map(({ pid }) => pid);
}

/** In the state folder; made with the first child. */
export const childrenFolder = 'processes';

export function createChildren(home: string): Children {
  const id = randomId();
  const place = join(home, childrenFolder, id);
  const guarded = new Set<Ancestor>();
  let count = 0;
  let pipes: Pipes | undefined;
  const killAll = (): void => {
    for (const child of guarded) signalFamily(child, findFamily(child), 'SIGKILL');
  };

  function leaveWord(): void {
    ensureFolder(join(home, childrenFolder));
    writeFileSync(`${place}.new`, `${JSON.stringify(thisProcess())}\n`, { mode: 0o600 });
    renameSync(`${place}.new`, `${place}.json`);
    process.on('exit', killAll);
  }

  return {
    get pipes() {
      pipes ??= createPipes(place);
      return pipes;
    },
    newMarker() {
      if (count === 0) leaveWord();
      return `${id}.${++count}.`;
    },
    guard(child) {
      guarded.add(child);
      guardedHere.add(child);
      return {
        [Symbol.dispose]() {
          guarded.delete(child);
          guardedHere.delete(child);
        },
      };
    },
    async endAll(how) {
      await Promise.all([...guarded].map((child) => endFamily(child, how)));
    },
    [Symbol.dispose]() {
      if (count === 0) return;
      process.off('exit', killAll);
      rmSync(place, { recursive: true, force: true });
      rmSync(`${place}.json`, { force: true });
    },
  };
}

const graceMs = 1000;

/** Ends processes that a killed host left running, found by the mark in their environment. Returns how many there were. */
export async function reapOrphans(home: string): Promise<number> {
  const folder = join(home, childrenFolder);
  let ended = 0;
  for (const name of hostFiles(folder)) {
    const owner = readOwner(join(folder, name));
    if (owner === undefined || isAlive(owner, home)) continue;
    const id = name.slice(0, -'.json'.length);
    const orphans = { pid: 0, marker: `${id}.`, born: { at: 0, after: undefined } };
    ended += findFamily(orphans).length;
    await endFamily(orphans, { graceMs });
    rmSync(join(folder, id), { recursive: true, force: true });
    rmSync(join(folder, name), { force: true });
  }
  return ended;
}

/** Running processes that have started children, as pids on this machine. */
export function livingHosts(home: string): number[] {
  const folder = join(home, childrenFolder);
  return hostFiles(folder).flatMap((name) => {
    const owner = readOwner(join(folder, name));
    return owner !== undefined && isSeenAlive(owner) ? [owner.pid] : [];
  });
}

function hostFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));
}

function readOwner(file: string): Owner | undefined {
  try {
    return Owner().parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Another host has already claimed the file.
    return undefined;
  }
}
