import type { Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import type { Json } from '../dialect.ts';
import { makeKode } from '../dialects.ts';

const kode = makeKode({ root: '/w/', newUuid: () => 'u' });

test.each([
  ['/w/a/b.txt', 'a/b.txt'],
  ['/w//a', 'a'],
  ['/w', '.'],
  ['/w/', '.'],
  ['a.txt', 'a.txt'],
  ['/w/../x', '../x'],
  ['/wide/a', '/wide/a'],
  ['/etc/passwd', '/etc/passwd'],
])('the core gets %s as %s', (file_path, path) => {
  expect(kode.ask({ id: 'c', tool: 'View', args: { file_path } }).args).toEqual({ path });
});

test('what failed before its tool is a tool_result, what failed in it is its data', () => {
  const args = { file_path: '/w/a.txt', content: 'x' };
  expect(answer('Replace', args, { code: 'STALE', message: 'a.txt has changed.' })).toEqual({
    type: 'tool_result',
    tool_use_id: 'c',
    result: '/w/a.txt has changed.',
    is_error: true,
  });
  expect(answer('Replace', args, { code: 'NO_SPACE', message: 'The disk is full.' })).toEqual({
    type: 'backend_only',
    tool_name: 'Replace',
    tool_use_id: 'c',
    uuid: 'u',
    data: 'The disk is full.',
  });
});

test('MultiEdit names the edit that failed and the first 50 characters it looked for', () => {
  const edits = [{ old_string: 'a' }, { old_string: 'b'.repeat(60) }];
  const fail = (details: Json) =>
    answer('MultiEdit', { file_path: 'a', edits }, { code: 'INVALID_ARGUMENTS', message: 'No.', details })
      .data;
  expect(fail({ edit: 2, reason: 'not_found' })).toBe(
    `Error in edit 2: String not found: ${'b'.repeat(50)}...`,
  );
  expect(fail({ edit: 1, reason: 'same' })).toBe('Error in edit 1: No.');
  expect(fail({ field: 'edits' })).toBeUndefined();
});

test('every answer has a uuid of its own', () => {
  const { encode } = makeKode();
  const uuids = [1, 2].map(() => encode(completed('LS', { path: '.' }, { path: '.', entries: [] })).uuid);
  expect(new Set(uuids).size).toBe(2);
});

test('a listing that was cut says so', () => {
  const entries = [{ name: 'a', path: 's/a', type: 'directory' }];
  const message = completed('LS', { path: '/w/s/' }, { path: 's', entries, truncated: true });
  expect(kode.encode(message).data).toBe('- /w/s/\n  - a/\n[cut after 1 entries]');
});

test.each([
  ['View', { file_path: 'a/b.py' }, { content: '' }, ['file', 'filePath']],
  ['Replace', { file_path: 'a/b.py', content: '' }, { operation: 'updated' }, ['filePath']],
  ['Edit', { file_path: 'a/b.py', old_string: 'a', new_string: 'b' }, {}, ['filePath']],
  ['MultiEdit', { file_path: 'a/b.py', edits: [] }, { occurrences: [] }, ['filePath']],
])('%s names its file absolutely', (tool, args, data, place) => {
  const written = kode.encode(completed(tool, args, { path: 'a/b.py', ...data })).data as Json;
  expect(place.reduce<unknown>((at, name) => (at as Json)[name], written)).toBe('/w/a/b.py');
});

test('a failure speaks of the tool and the arguments as Kode names them', () => {
  const error = { code: 'INVALID_ARGUMENTS', message: 'write_file: `path` is empty.' } as const;
  expect(answer('Replace', { file_path: '', content: '' }, error).result).toBe(
    'Replace: `file_path` is empty.',
  );
});

type Failed = { code: 'STALE' | 'NO_SPACE' | 'INVALID_ARGUMENTS'; message: string; details?: Json };

function answer(tool: string, args: Json, error: Failed): Json {
  const outcome: Outcome = { ...ended(tool), status: 'failed', error };
  return kode.encode({ type: 'result', asked: { id: 'c', wire: { tool, args } }, outcome });
}

function completed(tool: string, args: Json, data: Json): Parameters<typeof kode.encode>[0] {
  const outcome: Outcome = { ...ended(tool), status: 'completed', data };
  return { type: 'result', asked: { id: 'c', wire: { tool, args } }, outcome };
}

function ended(tool: string): {
  callId: string;
  tool: string;
  startedAt: number;
  durationMs: number;
  effects: [];
} {
  return { callId: 'c', tool, startedAt: 0, durationMs: 0, effects: [] };
}
