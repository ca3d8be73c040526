// A sample of `npm run sweep -- --faults`, and the folder that may not be written, as a plain user.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRoot } from '../support/calls-in-child.ts';
import { type Lane, openLane, type SweepBench, sweepBench } from '../support/sweep-bench.ts';
import { faultCases } from '../support/sweep-cases.ts';
import { failuresOf, hasStrace, planFaults } from '../support/sweep-plan.ts';

const seed = 1;
const size = 36;

// Surveying a case takes as long as running one; these have the most to go wrong.
const sampled = [
  'patch-5',
  'undo-patch-5',
  'redo-patch-5',
  'patch-24',
  'undo-patch-24',
  'undo-patch-30',
  'delete-folder',
  'undo-delete-folder',
  'move',
  'redo-move-replacing',
  'undo-linked',
  'write',
];

let bench: SweepBench;
let lane: Lane;
beforeAll(() => {
  bench = sweepBench();
  lane = openLane(bench, 0);
});
afterAll(() => bench[Symbol.dispose]());

describe.skipIf(!hasStrace)('a system call that fails', () => {
  test(`loses no byte, is answered truly, and can be tried again (${size} combinations of seed ${seed})`, async () => {
    const cases = faultCases.filter(({ name }) => sampled.includes(name));
    const { items } = await planFaults([lane], { sample: size, seed }, cases);
    expect(await failuresOf(lane, items)).toEqual([]);
  }, 300_000);

  test.runIf(isRoot)(
    'an undo that may not write one of its folders loses no byte of the others',
    async () => {
      const { items } = await planFaults([lane], { seed, only: 'undo-patch-2/denied/*/*' });
      expect(items.map(({ target }) => target)).toEqual(expect.arrayContaining(['p', 'q']));
      expect(await failuresOf(lane, items)).toEqual([]);
    },
    120_000,
  );
});
