import { expect, test } from 'vitest';
import { systemClock } from '../log/clock.ts';
import type { MemberStore } from '../log/cluster-ports.ts';
import { type Members, openMembers } from './members.ts';

const leaseMs = 900;
const process = (pid: number) => ({ host: 'h', pid, startedAt: String(pid) });

/** Two nodes over one store that can be cut off, with one clock. */
async function twoNodes() {
  const listeners = new Set<Parameters<MemberStore['watch']>[0]>();
  let isCut = false;
  let time = 0;
  const store: MemberStore = {
    async put(node, text) {
      if (isCut) throw new Error('no server');
      for (const listener of listeners) listener(node, text);
    },
    async remove(node) {
      for (const listener of listeners) listener(node, undefined);
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const goneNodes: string[] = [];
  const open = (self: string): Members =>
    openMembers({
      self,
      store,
      leaseMs,
      onGone: (node) => goneNodes.push(`${node} for ${self}`),
      clock: { ...systemClock, now: () => time },
    });
  const [a, b] = [open('a'), open('b')];
  const beat = (node: 'a' | 'b') =>
    (node === 'a' ? a : b).announce({ url: `http://${node}`, process: process(node === 'a' ? 1 : 2) });
  await Promise.all([beat('a'), beat('b')]);
  return {
    a,
    b,
    beat,
    gone: goneNodes,
    pass: (ms: number) => {
      time += ms;
    },
    cut(value: boolean) {
      isCut = value;
    },
    close: () => Promise.all([a.close(), b.close()]),
  };
}

test('a node that is silent for a lease is gone for whoever hears itself', async () => {
  const { a, beat, gone, pass, close } = await twoNodes();
  for (let n = 0; n < 3; n++) {
    pass(leaseMs / 3);
    await beat('a');
  }
  expect(a.isAlive('b')).toBe(true);
  pass(1);
  await beat('a');
  expect([a.isAlive('b'), gone]).toEqual([false, ['b for a']]);
  await beat('b');
  expect(a.isAlive('b')).toBe(true);
  await close();
});

test('while the servers are away, or the node itself stood still, nobody is taken for gone', async () => {
  const { a, b, beat, gone, pass, cut, close } = await twoNodes();
  cut(true);
  pass(10 * leaseMs);
  await expect(beat('a')).rejects.toThrow('no server');
  expect([a.isAlive('b'), b.isAlive('a')]).toEqual([true, true]);
  cut(false);
  await beat('a');
  expect([a.isAlive('b'), b.isAlive('a'), gone]).toEqual([true, true, []]);
  await close();
});

test('one that says goodbye is gone at once', async () => {
  const { a, b, gone } = await twoNodes();
  const { gone: goneSignal } = a.reach('b');
  await b.close();
  expect([a.isAlive('b'), goneSignal.aborted, gone]).toEqual([false, true, ['b for a']]);
  await a.close();
});
