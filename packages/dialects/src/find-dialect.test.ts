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

test('a root changes only the dialect that has absolute paths', () => {
  expect(findDialect('agent', { root: '/w' })).toBe(dialects.agent);
  const call = { id: 'c', tool: 'View', args: { file_path: '/w/a.txt' } };
  expect(findDialect('kode', { root: '/w' }).ask(call).args).toEqual({ path: 'a.txt' });
  expect(findDialect('kode').ask(call).args).toEqual({ path: '/w/a.txt' });
});
