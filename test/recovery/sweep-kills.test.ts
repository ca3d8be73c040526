// A sample of `npm run sweep`: the same combinations each time, with every tool and every event in it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layOut, openLane, prepare, type SweepBench, sweepBench } from '../support/sweep-bench.ts';
import { sweepCases } from '../support/sweep-cases.ts';
import { sweepEvents } from '../support/sweep-events.ts';
import { killAt } from '../support/sweep-kill.ts';
import { failuresOf, hasStrace, planKills } from '../support/sweep-plan.ts';
import { survey } from '../support/sweep-points.ts';
import { stateOf } from '../support/sweep-state.ts';
import { reachedPoints, stopThroughout } from '../support/sweep-stops.ts';

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
      const size = Math.max(cases.length, sweepEvents.length);
      const { items } = await planKills([lane], { sample: size, seed }, cases);
      const partsAt = (index: number): Set<string | undefined> =>
        new Set(items.map(({ name }) => name.split('/')[index]));
      expect(partsAt(0)).toEqual(new Set(cases.map(({ name }) => name)));
      expect(partsAt(3)).toEqual(new Set(sweepEvents.map(({ name }) => name)));
      expect(await failuresOf(lane, items)).toEqual([]);
    }, 300_000);

  test('an undo that takes two steps is carried to its end, one that only removes folders removes all, and folders come again with their modes', async () => {
    const lane = openLane(bench, 4);
    const names = [
      'undo-move-replacing/rename/3/user-deletes',
      'undo-move-replacing/unlink/1/user-deletes',
      'undo-move-replacing/link/3/nothing',
      'undo-create-folder/rmdir/2/nothing',
      'discard-deletion/link/2/user-edits',
      'undo-exchanged/rename/4/fresh-clone',
    ];
    const cases = sweepCases.filter(({ name }) =>
      names.some((pointName) => pointName.startsWith(`${name}/`)),
    );
    const { items } = await planKills([lane], { seed }, cases);
    const wantedItems = items.filter(({ name }) => names.includes(name));
    expect(wantedItems.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(await failuresOf(lane, wantedItems)).toEqual([]);
  }, 120_000);

  test('a process that is stopped at every point of its call in turn is left alone, and ends its call', async () => {
    const sweepCase = sweepCases.find(({ name }) => name === 'move-replacing');
    const event = sweepEvents.find(({ name }) => name === 'alive');
    if (sweepCase === undefined || event === undefined) throw new Error('no such case');
    const lane = openLane(bench, 3);
    await prepare(lane, sweepCase);
    const surveyed = await survey(lane, sweepCase);
    const { stops, failures } = await stopThroughout(lane, { surveyed, event });
    expect([...stops.flatMap((stop) => stop.failures), ...failures]).toEqual([]);
    const inWorkspace = surveyed.points.filter(({ target }) => target.startsWith('"/proc/self/fd/'));
    expect(reachedPoints(inWorkspace, stops)).toEqual(inWorkspace);
  }, 120_000);

  test('two kills at one point leave the same state, and kills on both sides of a change do not', async () => {
    const sweepCase = sweepCases.find(({ name }) => name === 'move-replacing');
    if (sweepCase === undefined) throw new Error('no such case');
    const baseLane = openLane(bench, 2);
    await prepare(baseLane, sweepCase);
    const surveyed = await survey(baseLane, sweepCase);
    const states = new Map<string, string[]>();
    const inWorkspace = surveyed.points.filter(({ target }) => target.startsWith('"/proc/self/fd/'));
    for (const points of [inWorkspace, inWorkspace])
      for (const point of points) {
        const lane = await layOut(baseLane, sweepCase);
        expect(await killAt(lane, { surveyed, point })).toBe(true);
        const name = `${point.call}/${point.nth}`;
        states.set(name, [...(states.get(name) ?? []), stateOf(lane)]);
      }
    for (const same of states.values()) expect(new Set(same).size).toBe(1);
    expect(new Set([...states.values()].flat()).size).toBe(states.size);
    expect(states.size).toBeGreaterThan(1);
  }, 120_000);
});
