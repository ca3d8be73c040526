// A sample of `npm run sweep`: the same combinations each time, with every tool and every event in it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lane, openLane, type SweepBench, sweepBench } from './support/sweep-bench.ts';
import { sweepCases } from './support/sweep-cases.ts';
import { sweepEvents } from './support/sweep-events.ts';
import { failuresOf, hasStrace, type Item, planKills } from './support/sweep-plan.ts';

const seed = 1;
const size = 44;

let bench: SweepBench;
let lanes: Lane[];
let items: readonly Item[];

describe.skipIf(!hasStrace)(`killed at any moment, ${size} combinations of seed ${seed}`, () => {
  beforeAll(async () => {
    bench = sweepBench();
    lanes = [0, 1].map((number) => openLane(bench, number));
    items = (await planKills(lanes, { sample: size, seed })).items;
  }, 180_000);
  afterAll(() => bench[Symbol.dispose]());

  test('every tool and every event is among them', () => {
    const part = (index: number): Set<string | undefined> =>
      new Set(items.map(({ name }) => name.split('/')[index]));
    expect(part(0)).toEqual(new Set(sweepCases.map(({ name }) => name)));
    expect(part(3)).toEqual(new Set(sweepEvents.map(({ name }) => name)));
  });

  for (const half of [0, 1])
    test.concurrent(`whatever happened before the next start, the tree is the old one, the new one or the user’s, and the log says which (${half + 1} of 2)`, async () => {
      const lane = lanes[half];
      if (lane === undefined) throw new Error('no lane');
      expect(
        await failuresOf(
          lane,
          items.filter((_, i) => i % 2 === half),
        ),
      ).toEqual([]);
    }, 300_000);
});
