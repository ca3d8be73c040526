// A model that takes back its changes with `force` would take a person's edits with them: it is asked about in every mode.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

let bench: Workbench;
let questions: string[];

const read = (path: string): string => readFileSync(join(bench.root, path), 'utf8');
const personWrites = (path: string, text: string): void => writeFileSync(join(bench.root, path), text);
const modelWrites = async (path: string, content: string): Promise<void> => {
  await bench.call('read_file', { path });
  expect(codeOf(await bench.call('write_file', { path, content }, { turn: 1 }))).toBe('completed');
};

beforeEach(async () => {
  bench = await workbench({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' }, mode: 'trusted' });
  questions = [];
  bench.human(({ verdict }) => {
    questions.push(verdict.reason);
    return { kind: 'reject' };
  });
});
afterEach(() => bench[Symbol.asyncDispose]());

const expectedQuestions = [expect.stringContaining('changed since: a.txt.')];

test('undo of what a person changed since', async () => {
  await modelWrites('a.txt', 'model\n');
  personWrites('a.txt', 'person\n');
  expect(codeOf(await bench.call('undo', { force: true }))).toBe('REJECTED');
  expect([questions, read('a.txt')]).toEqual([expectedQuestions, 'person\n']);
});

test('undo of two calls with a person’s edit between them', async () => {
  await modelWrites('a.txt', 'model\n');
  personWrites('a.txt', 'person\n');
  await modelWrites('a.txt', 'model again\n');
  await modelWrites('b.txt', 'model\n');
  await bench.call('undo', { from_turn: 1, force: true });
  expect([questions, read('a.txt')]).toEqual([expectedQuestions, 'model again\n']);
});

test('undo of a file that a person removed and made again', async () => {
  await modelWrites('b.txt', 'model\n');
  await bench.call('write_file', { path: 'new.txt', content: 'model\n' });
  personWrites('new.txt', 'person\n');
  await bench.call('undo', { force: true });
  expect([questions, read('new.txt')]).toEqual([
    [expect.stringContaining('changed since: new.txt.')],
    'person\n',
  ]);
});

test('redo over what a person changed since', async () => {
  await modelWrites('a.txt', 'model\n');
  await bench.call('undo', {});
  personWrites('a.txt', 'person\n');
  await bench.call('redo', { force: true });
  expect([questions, read('a.txt')]).toEqual([expectedQuestions, 'person\n']);
});

test('a forced undo that overwrites nobody’s work runs unasked', async () => {
  await modelWrites('a.txt', 'model\n');
  await modelWrites('a.txt', 'model again\n');
  expect(codeOf(await bench.call('undo', { force: true }))).toBe('completed');
  expect([questions, read('a.txt')]).toEqual([[], 'a\n']);
});
