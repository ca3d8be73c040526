// A sample of `npm run sweep`: the same combinations each time, with every tool and every event in it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLane, type SweepBench, sweepBench } from './support/sweep-bench.ts';
import { sweepCases } from './support/sweep-cases.ts';
import { sweepEvents } from './support/sweep-events.ts';
import { failuresOf, hasStrace, planKills } from './support/sweep-plan.ts';

const seed = 1;

let bench: SweepBench;
beforeAll(() => {
  bench = sweepBench();
});
afterAll(() => bench[Symbol.dispose]());

describe.skipIf(!hasStrace)(`killed at any moment (seed ${seed})`, () => {
  // Two halves side by side, each with a folder of its own.
  for (const half of [0, 1])
    test.concurrent(`whatever happened before the next start, the tree is the old one, the new one or the user’s, and the log says which (${half + 1} of 2)`, async () => {
      const lane = openLane(bench, half);
      const cases = sweepCases.filter((_, i) => i % 2 === half);
      const size = Math.max(2 * cases.length, sweepEvents.length);
      const { items } = await planKills([lane], { sample: size, seed }, cases);
      const partsAt = (index: number): Set<string | undefined> =>
        new Set(items.map(({ name }) => name.split('/')[index]));
      expect(partsAt(0)).toEqual(new Set(cases.map(({ name }) => name)));
      expect(partsAt(3)).toEqual(new Set(sweepEvents.map(({ name }) => name)));
      expect(await failuresOf(lane, items)).toEqual([]);
    }, 300_000);
});
