import { expect, test } from 'vitest';
import { dialectNames, findDialect } from './dialects.ts';

test('a dialect is found by its name', () => {
  for (const name of dialectNames) expect(findDialect(name).name).toBe(name);
});

test('an unknown name is refused with the names there are', () => {
  expect(() => findDialect('toString')).toThrow(
    `"toString" is not a dialect. Choose one of: ${dialectNames.join(', ')}.`,
  );
});

test('a root changes only the dialects in which a leading slash has a meaning', () => {
  expect(findDialect('codelab', { root: '/w' })).toBe(findDialect('codelab'));
  const asked = (path: string) => ({ id: 'c', tool: 'read_file', args: { path } });
  const agent = findDialect('agent', { root: '/w' });
  for (const path of ['/w/a.txt', '/a.txt', 'a.txt'])
    expect(agent.ask(asked(path)).args).toEqual({ path: 'a.txt' });
  expect(agent.ask(asked('/wide/a.txt')).args).toEqual({ path: 'wide/a.txt' });
  expect(findDialect('agent').ask(asked('/w/a.txt')).args).toEqual({ path: 'w/a.txt' });
  const call = { id: 'c', tool: 'View', args: { file_path: '/w/a.txt' } };
  expect(findDialect('kode', { root: '/w' }).ask(call).args).toEqual({ path: 'a.txt' });
  expect(findDialect('kode').ask(call).args).toEqual({ path: '/w/a.txt' });
});

test('whoever says `arguments` reaches every tool of seed 000', () => {
  const codelab = findDialect('codelab').tools.map(({ name }) => name);
  const agent = findDialect('agent').tools.map(({ name }) => name);
  expect(agent).toEqual(expect.arrayContaining(codelab));
});

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
