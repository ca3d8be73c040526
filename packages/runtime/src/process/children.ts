// What all children of one host share: the mark they carry, the pipes they print into, and the word left on the disk about them,
// so that the next host can end them when this one is killed.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from '../platform/process-identity.ts';
import { randomId } from '../platform/random-id.ts';
import { endFamily } from './end-family.ts';
import { type Ancestor, findFamily, signalFamily } from './family.ts';
import { createPipes, type Pipes } from './pipes.ts';

export type Children = Disposable & {
  pipes: Pipes;
  /** For one child and whatever comes of it; nobody else carries it. */
  newMarker(): string;
  /** Until disposed of, it is killed should this process exit without taking leave. */
  guard(child: Ancestor): Disposable;
  /** Ends all that are guarded. */
  endAll(how: { graceMs: number }): Promise<void>;
};

// Of all hosts in this process.
const guardedHere = new Set<Ancestor>();

/** The sessions that were begun for children of this process; the leader of each has the same number. */
export function childSessions(): number[] {
  return [...guardedHere].map(({ pid }) => pid);
}

export function childrenFolder(home: string): string {
  return join(home, 'processes');
}

export function createChildren(home: string): Children {
  const id = randomId();
  const place = join(childrenFolder(home), id);
  const guarded = new Set<Ancestor>();
  let count = 0;
  const killAll = (): void => {
    for (const child of guarded) signalFamily(child, findFamily(child), 'SIGKILL');
  };

  function leaveWord(): void {
    mkdirSync(childrenFolder(home), { recursive: true, mode: 0o700 });
    writeFileSync(`${place}.new`, `${JSON.stringify(thisProcess())}\n`, { mode: 0o600 });
    renameSync(`${place}.new`, `${place}.json`);
    process.on('exit', killAll);
  }

  return {
    pipes: createPipes(place),
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
