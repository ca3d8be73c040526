import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CrashBench,
  type CrashCase,
  crashBench,
  hasStrace,
  killedAt,
  type Point,
} from '../support/crash-bench.ts';

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

const END = '\n\\ No newline at end of file\n';
const otherFiles = { 'keep.txt': 'kept\n', 'other.txt': 'other\n' };

// The target of a link is read through it.
const links: CrashCase = {
  name: 'a patch that makes, changes and deletes links',
  files: { ...otherFiles, 'c.txt': 'old\n' },
  prepare: (root) => {
    for (const name of ['changed', 'deleted']) symlinkSync('keep.txt', join(root, name));
  },
  tool: 'apply_patch',
  args: {
    diff: [
      '--- a/c.txt\n+++ b/c.txt\n@@ -1 +1 @@\n-old\n+new\n',
      `diff --git a/d/made b/d/made\nnew file mode 120000\n--- /dev/null\n+++ b/d/made\n@@ -0,0 +1 @@\n+../keep.txt${END}`,
      `diff --git a/changed b/changed\nindex 1..2 120000\n--- a/changed\n+++ b/changed\n@@ -1 +1 @@\n-keep.txt${END}+other.txt${END}`,
      `diff --git a/deleted b/deleted\ndeleted file mode 120000\n--- a/deleted\n+++ /dev/null\n@@ -1 +0,0 @@\n-keep.txt${END}`,
    ].join(''),
  },
  points: [...every('symlink', 2), ...every('link', 3), ...every('rename', 4), ...every('fsync', 3)],
  old: { 'c.txt': 'old\n', changed: 'kept\n', deleted: 'kept\n', ...otherFiles },
  new: { 'c.txt': 'new\n', changed: 'other\n', 'd/made': 'kept\n', ...otherFiles },
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
      const pointsOfHalf = points.filter((_, i) => i % 2 === half);
      const missed: Point[] = [];
      for (const point of pointsOfHalf) if (!(await killedAt(bench, patch, point))) missed.push(point);
      expect(missed).toEqual([]);
    }, 240_000);
  }

  test(`${links.name}, at every step: all old or all new`, async () => {
    const missed: Point[] = [];
    for (const point of links.points) if (!(await killedAt(bench, links, point))) missed.push(point);
    expect(missed).toEqual([]);
  }, 240_000);
});
