import { linkSync, rmSync } from 'node:fs';
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

// `pwrite64` and `fsync` of the main thread are the log's: requested, decided, started, finished.
const logWrites: Point[] = Array.from({ length: 13 }, (_, i) => ({ call: 'pwrite64', nth: 1 + 3 * i }));
const logSyncs: Point[] = [1, 2, 3, 4, 5, 6].map((nth) => ({ call: 'fsync', nth }));

const at = (...calls: string[]): Point[] => calls.map((call) => ({ call, nth: 1 }));

const cases: CrashCase[] = [
  {
    name: 'overwriting a file',
    files: { 'a.txt': 'old\n' },
    tool: 'write_file',
    args: { path: 'a.txt', content: 'new\n' },
    points: [...logWrites, ...logSyncs, ...at('fchmod', 'rename')],
    old: { 'a.txt': 'old\n' },
    new: { 'a.txt': 'new\n' },
  },
  {
    name: 'creating a file in new folders',
    files: { 'b.txt': 'b' },
    tool: 'write_file',
    args: { path: 'x/y/a.txt', content: 'new\n' },
    points: [
      ...at('link', 'unlink'),
      { call: 'mkdir', nth: 3 },
      { call: 'mkdir', nth: 4 },
      { call: 'mkdir', nth: 5 },
      { call: 'fsync', nth: 5 },
    ],
    old: { 'b.txt': 'b' },
    new: { 'b.txt': 'b', 'x/y/a.txt': 'new\n' },
  },
  {
    name: 'creating folders',
    files: { 'b.txt': 'b' },
    tool: 'create_directory',
    args: { path: 'x/y/z' },
    points: [3, 4, 5, 6].map((nth) => ({ call: 'mkdir', nth })),
    old: { 'b.txt': 'b' },
    new: { 'b.txt': 'b', 'x/y/z/': '' },
  },
  {
    name: 'rewriting a file with two names',
    files: { 'a.txt': 'old\n' },
    prepare: (root) => linkSync(join(root, 'a.txt'), join(root, 'b.txt')),
    tool: 'write_file',
    args: { path: 'a.txt', content: 'n\n' },
    points: [
      ...at('rename', 'ftruncate'),
      { call: 'ftruncate', nth: 2 },
      ...at('unlink'),
      { call: 'fsync', nth: 5 },
    ],
    old: { 'a.txt': 'old\n', 'b.txt': 'old\n' },
    new: { 'a.txt': 'n\n', 'b.txt': 'n\n' },
  },
  {
    name: 'rewriting a file with two names, of which somebody deletes the one that was asked for',
    files: { 'a.txt': 'old\n' },
    prepare: (root) => linkSync(join(root, 'a.txt'), join(root, 'b.txt')),
    meanwhile: (root) => rmSync(join(root, 'a.txt')),
    tool: 'write_file',
    args: { path: 'a.txt', content: 'n\n' },
    points: [{ call: 'ftruncate', nth: 3 }],
    old: { 'b.txt': 'old\n' },
    new: { 'b.txt': 'n\n' },
  },
  {
    name: 'deleting a folder',
    files: { 'd/a.txt': 'a', 'd/e/b.txt': 'b', 'c.txt': 'c' },
    tool: 'delete_file',
    args: { path: 'd', recursive: true },
    points: [...at('rename'), { call: 'fsync', nth: 4 }, { call: 'fsync', nth: 5 }],
    old: { 'c.txt': 'c', 'd/a.txt': 'a', 'd/e/b.txt': 'b' },
    new: { 'c.txt': 'c' },
  },
  {
    name: 'moving a file',
    files: { 'a.txt': 'a' },
    tool: 'move_file',
    args: { from: 'a.txt', to: 'n/b.txt' },
    points: [...at('link', 'unlink'), { call: 'fsync', nth: 5 }],
    old: { 'a.txt': 'a' },
    new: { 'n/b.txt': 'a' },
  },
];

let bench: CrashBench;
beforeAll(() => {
  bench = crashBench();
});
afterAll(() => bench[Symbol.dispose]());

describe.skipIf(!hasStrace)('killed with SIGKILL', () => {
  for (const crashCase of cases) {
    test.concurrent(`${crashCase.name}, at ${crashCase.points.length} points: old or new, one outcome, a log that verifies`, async () => {
      let killed = 0;
      for (const point of crashCase.points) if (await killedAt(bench, crashCase, point)) killed++;
      // A point that is never reached would prove nothing.
      expect(killed).toBe(crashCase.points.length);
    }, 120_000);
  }
});
