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
