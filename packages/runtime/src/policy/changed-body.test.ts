import { expect, test } from 'vitest';
import { openExecution } from './changed-body.ts';

const part = {
  text: '',
  isDynamic: false,
  verdict: 'ask',
  mustAsk: false,
  risk: 'medium',
  reason: '',
  cwd: '.',
} as const;
const files = [{ path: 'build/settings.json', print: 'x' }];
const execution = { files, runs: [] };

test('settings that are part of a rule are remembered with it, free arguments are not', () => {
  const program = ['tsc', '-p=build/settings.json'];
  const words = ['tsc', '-p', 'build/settings.json'];
  expect(openExecution({ ...part, words, program, execution }, false)?.files).toEqual(files);
  const joined = {
    words: ['tsc', '--project=build/settings.json'],
    program: ['tsc', '--project=build/settings.json'],
  };
  expect(openExecution({ ...part, ...joined, execution }, false)?.files).toEqual(files);
  expect(openExecution({ ...part, words, program: ['tsc'], execution }, false)?.files).toEqual([]);
});
