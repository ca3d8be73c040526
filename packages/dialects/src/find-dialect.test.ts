import { expect, test } from 'vitest';
import { dialects } from './dialects.ts';
import { findDialect } from './find-dialect.ts';

test('a dialect is found by its name', () => {
  for (const [name, dialect] of Object.entries(dialects)) {
    expect(findDialect(name)).toBe(dialect);
    expect(dialect.name).toBe(name);
  }
});

test('an unknown name is refused with the names there are', () => {
  expect(() => findDialect('toString')).toThrow(
    '"toString" is not a dialect. Choose one of: codelab, agent, plugin, coder, kode.',
  );
});

test('a root changes only the dialects in which a leading slash has a meaning', () => {
  expect(findDialect('codelab', { root: '/w' })).toBe(dialects.codelab);
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
