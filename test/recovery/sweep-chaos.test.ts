// A short run of `npm run sweep -- --chaos`.
import { expect, test } from 'vitest';
import { sweepBench } from '../support/sweep-bench.ts';
import { runChaos } from '../support/sweep-chaos.ts';

test('two hosts at work side by side, and one that is killed again and again: every promise holds', async () => {
  using bench = sweepBench();
  const { failures, calls, restored, claims } = await runChaos(bench, { seconds: 12, seed: 1 });
  expect(failures).toEqual([]);
  expect(restored).toBe(claims);
  expect(calls).toBeGreaterThan(0);
}, 180_000);
