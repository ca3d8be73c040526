import { expect, test } from 'vitest';
import { dialects } from './dialects.ts';
import { findDialect } from './find-dialect.ts';

test('a dialect is found by its name', () => {
  for (const [name, dialect] of Object.entries(dialects)) {
    expect(findDialect(name)).toBe(dialect);
    expect(dialect.name).toBe(name);
  }
});

test('an unknown name is refused with the names there are, and kode is said to come later', () => {
  const names = 'Choose one of: codelab, agent, plugin, coder.';
  expect(() => findDialect('toString')).toThrow(`"toString" is not a dialect. ${names}`);
  expect(() => findDialect('kode')).toThrow(`"kode" is known but comes later. ${names}`);
});
