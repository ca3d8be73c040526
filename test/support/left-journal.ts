// Leaves a journal behind as a program does that ends before its files are synced: the real one, taken while the call ran, with an
// owner that is gone and an age at which the next start deals with it.
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from '@codelab/runtime';
import { expect, vi } from 'vitest';
import type { Workbench } from './workbench.ts';

export type LeftJournal = {
  /** Puts the journal back. `boot` is the boot its program ran under; without it, this one. */
  leave(options?: { boot?: string }): void;
  isLeft(): boolean;
};

export async function takeJournal(bench: Workbench, diff: string, call = 'patch'): Promise<LeftJournal> {
  const folder = join(bench.home, 'journal');
  const { host } = bench;
  const journalFiles = new Map<string, Buffer>();
  const lock: typeof host.lock = {
    async hold(work) {
      const result = await host.lock.hold(work);
      for (const name of readdirSync(folder)) journalFiles.set(name, readFileSync(join(folder, name)));
      return result;
    },
    [Symbol.dispose]: () => host.lock[Symbol.dispose](),
  };
  bench.host = { ...host, lock };
  expect(await bench.call('apply_patch', { diff }, { id: call })).toMatchObject({ status: 'completed' });
  bench.host = host;
  expect(journalFiles.size).toBe(1);
  // The call itself takes its journal away once the files are synced.
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]));
  const [[name, bytes] = ['', Buffer.alloc(0)]] = journalFiles;
  return {
    leave({ boot } = {}) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), ofDeadOwner(bytes, boot));
      const past = Date.now() / 1000 - 100;
      utimesSync(join(folder, name), past, past);
    },
    isLeft: () => readdirSync(folder).includes(name),
  };
}

function ofDeadOwner(bytes: Buffer, boot: string | undefined): Buffer {
  const end = bytes.indexOf('\n');
  const header = JSON.parse(bytes.toString('utf8', 0, end));
  const owner = thisProcess();
  const startedAt = `${boot ?? owner.startedAt.split(':')[0]}:1`;
  return Buffer.concat([
    Buffer.from(JSON.stringify({ ...header, owner: { ...owner, startedAt } })),
    bytes.subarray(end),
  ]);
}
