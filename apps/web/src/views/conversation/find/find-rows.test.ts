import { expect, test } from 'vitest';
import type { CallModel, Entry } from '../../../session/session-model.ts';
import { findRows } from './find-bar.tsx';

const answer = (key: string, text: string): Entry => ({
  ...{ kind: 'said', key, time: 0, turn: 1, text, reasoning: '', model: '' },
});
const entries: Entry[] = [
  answer('a', 'The parser is in src/parse.ts.'),
  { kind: 'call', key: 'b', callId: 'b' },
  answer('c', 'It fails for an empty file.'),
];
const call = {
  id: 'b',
  call: { tool: 'run_command', args: { command: 'npm test' } },
  outcome: { status: 'completed', data: { stdout: 'Parser: 3 failed' } },
  inner: [],
} as unknown as CallModel;
const rows = entries.map(({ key }, start) => ({ key, start, end: start + 1, isTight: false }));
const find = (query: string) => findRows(rows, { entries, calls: new Map([['b', call]]) }, query);

test.each([
  ['PARSER', { rows: [0, 1], words: ['parser'] }],
  ['3 failed', { rows: [1], words: ['3 failed'] }],
  ['npm test', { rows: [1], words: ['npm test'] }],
  ['empty fails', { rows: [2], words: ['empty', 'fails'] }],
  ['stdout', { rows: [], words: ['stdout'] }],
  ['  ', { rows: [], words: [] }],
])('%s', (query, found) => {
  expect(find(query)).toEqual(found);
});
