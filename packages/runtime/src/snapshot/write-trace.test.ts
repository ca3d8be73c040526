import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TreeDifference, TreeEntry } from './tree-entry.ts';
import { isCutShort, isTraced, readTrace, type WriteTrace } from './write-trace.ts';

function traceOf(...records: string[]): WriteTrace | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-trace-'));
  try {
    const file = join(folder, 'report');
    writeFileSync(file, records.map((record) => `${record}\0`).join(''));
    return readTrace(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function complete(...records: string[]): WriteTrace {
  const trace = traceOf('trace-writes 1', ...records);
  if (trace === undefined) throw new Error('not read');
  return trace;
}

const entry = (ino: number, ctimeMs = 0): TreeEntry => ({
  ...{ type: 'file', size: 1, mode: 0o644, ino, mtimeMs: 0, ctimeMs, bornMs: 0, diskBytes: 512, device: 1 },
});
const changed = (path: string, ctimeMs?: number): TreeDifference => ({
  ...{ path, before: entry(1), after: entry(1, ctimeMs) },
});
const creation = (path: string, ctimeMs?: number): TreeDifference => ({
  ...{ path, before: undefined, after: entry(2, ctimeMs) },
});
const removal = (path: string): TreeDifference => ({ path, before: entry(1), after: undefined });

test('a report that is not complete, or not there, is none', () => {
  expect(traceOf('incomplete: too many names\n')).toBeUndefined();
  expect(traceOf()).toBeUndefined();
  expect(readTrace('/nowhere/report')).toBeUndefined();
});

test('what was touched may be the command’s, and nothing else', () => {
  const trace = complete('@1000', 'ta/b', 'ta//./c', 'dgone');
  expect(['a/b', 'a/c', 'A/B'].map((path) => isTraced(trace, changed(path)))).toEqual([true, true, true]);
  expect(['a', 'a/b/x', 'a/d'].map((path) => isTraced(trace, changed(path)))).toEqual([false, false, false]);
});

test('a deletion needs a removal, and a removal is no other change', () => {
  const trace = complete('@1000', 'twritten', 'dgone');
  expect([isTraced(trace, removal('written')), isTraced(trace, removal('gone'))]).toEqual([false, true]);
  expect(isTraced(trace, creation('gone'))).toBe(false);
});

test('what is below a renamed folder came along with it, was touched under its old name, or is another’s', () => {
  const trace = complete('@1000', 'told/late', '@2000', 'rold', 'new');
  expect([removal('old'), removal('old/x')].map((difference) => isTraced(trace, difference))).toEqual([
    true,
    true,
  ]);
  expect([creation('new'), creation('new/x', 1500)].map((difference) => isTraced(trace, difference))).toEqual(
    [true, true],
  );
  expect(
    [creation('new/late', 3000), creation('new/x', 3000)].map((difference) => isTraced(trace, difference)),
  ).toEqual([true, false]);
});

test('renames in a circle end', () => {
  const trace = complete('@1000', 'ra', 'b', 'rb', 'a');
  expect(isTraced(trace, creation('a/x', 3000))).toBe(false);
});

test('another name of a file that was opened is known by the inode', () => {
  const trace = complete('@1000', 'tone', 'i1');
  expect([isTraced(trace, changed('other')), isTraced(trace, creation('new'))]).toEqual([true, false]);
});

test('after a kill, what was being written is known for a moment longer', () => {
  const trace = complete('@1000', 'ta', 'tb', 'x1010', 'lb');
  expect([isCutShort(trace, 'b', 1100), isCutShort(trace, 'a', 1100), isCutShort(trace, 'b', 2000)]).toEqual([
    true,
    false,
    false,
  ]);
});
