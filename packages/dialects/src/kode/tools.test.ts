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
