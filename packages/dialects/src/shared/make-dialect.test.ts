import { expect, test } from 'vitest';
import { findDialect } from '../dialects.ts';

test.each([
  ['codelab', 'read_file', { path: 'a', start_line: 0 }, 'read_file: `start_line` must be more than 0.'],
  ['codelab', 'read_file', { path: 'a', start_line: 1.5 }, 'read_file: `start_line` must be an integer.'],
  [
    'codelab',
    'prompt_user',
    { message: 'a', actions: ['b', 1] },
    'prompt_user: `actions.1` must be a string.',
  ],
  ['codelab', 'prompt_user', { message: 'a', actions: 'b' }, 'prompt_user: `actions` must be an array.'],
  ['codelab', 'list_files', { path: 'a', recursive: 'yes' }, 'list_files: `recursive` must be a boolean.'],
  ['plugin', 'write_file', { path: 'a', create: true }, 'write_file: `content` is missing.'],
  ['coder', 'list', { directory: 'a', all: true }, 'list does not take `directory, all`; it takes: path.'],
])('%s %s %j: %s', (name, tool, args, message) => {
  const dialect = findDialect(name);
  expect(() => dialect.ask({ id: 'c', tool, args })).toThrow(message);
});

test('edited arguments are checked and translated by the row of the call', () => {
  const asked = { wire: { tool: 'write_file', args: {} } };
  const edit = { kind: 'edit' as const, args: { path: '/b', content: 'x', backup: false }, feedback: 'b' };
  expect(findDialect('agent').settle(asked, edit)).toEqual({
    kind: 'edit',
    args: { path: 'b', content: 'x' },
    feedback: 'b',
  });
  expect(() => findDialect('codelab').settle(asked, edit)).toThrow(
    'write_file does not take `backup`; it takes: path, content, keep_line_endings.',
  );
  expect(findDialect('agent').settle(asked, { kind: 'approve' })).toEqual({ kind: 'approve' });
});
