import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CrashBench,
  type CrashCase,
  crashBench,
  hasStrace,
  killedAt,
  type Point,
} from './support/crash-bench.ts';

// 50 files: 30 changed, 10 new ones in new folders, 10 deleted.
const numbers = Array.from({ length: 50 }, (_, i) => String(i).padStart(2, '0'));
const [changed, created, deleted] = [numbers.slice(0, 30), numbers.slice(30, 40), numbers.slice(40)];

// Shorter and longer than before: both can be torn when they are written over.
const rewritten = (n: string): string => (Number(n) % 2 === 0 ? `n${n}` : `new and longer ${n}`);

const hunks = [
  ...changed.map((n) => `--- a/c${n}.txt\n+++ b/c${n}.txt\n@@ -1 +1 @@\n-old ${n}\n+${rewritten(n)}\n`),
  ...created.map((n) => `--- /dev/null\n+++ b/d${n}/n.txt\n@@ -0,0 +1 @@\n+new ${n}\n`),
  ...deleted.map((n) => `--- a/x${n}.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old ${n}\n`),
];

const before = Object.fromEntries([
  ...changed.map((n) => [`c${n}.txt`, `old ${n}\n`]),
  ...deleted.map((n) => [`x${n}.txt`, `old ${n}\n`]),
]);
const after = Object.fromEntries([
  ...changed.map((n) => [`c${n}.txt`, `${rewritten(n)}\n`]),
  ...created.map((n) => [`d${n}/n.txt`, `new ${n}\n`]),
]);

const every = (call: string, count: number): Point[] =>
  Array.from({ length: count }, (_, i) => ({ call, nth: i + 1 }));

// A rename for the journal and one for each deleted file; a link for each new one; each changed file is written over and cut.
const points = [
  ...every('rename', 11),
  ...every('link', 10),
  ...every('ftruncate', 30),
  ...every('fsync', 7),
  ...every('mkdir', 12).slice(3),
];

const patch: CrashCase = {
  name: 'a patch of 50 files',
  files: before,
  tool: 'apply_patch',
  args: { diff: hunks.join('') },
  points,
  old: before,
  new: after,
};

let bench: CrashBench;
beforeAll(() => {
  bench = crashBench();
});
afterAll(() => bench[Symbol.dispose]());

describe.skipIf(!hasStrace)('F-03: killed with SIGKILL', () => {
  // Two halves side by side: every point is its own process.
  for (const half of [0, 1]) {
    test.concurrent(`${patch.name}, at every step (${half + 1} of 2): all old or all new`, async () => {
      const own = points.filter((_, i) => i % 2 === half);
      const missed: Point[] = [];
      for (const point of own) if (!(await killedAt(bench, patch, point))) missed.push(point);
      expect(missed).toEqual([]);
    }, 240_000);
  }
});
