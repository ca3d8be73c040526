import { expect, test } from 'vitest';
import { checkRequired } from './make-tool.ts';

const check = (schema: Record<string, unknown>, args: Record<string, unknown>) => () =>
  checkRequired('mcp:a:b', schema, args);

test('names what is missing and what is not known; leaves everything else to the server', () => {
  const strict = { properties: { a: { type: 'string', pattern: '(x+x+)+y' } }, additionalProperties: false };
  expect(check({ required: ['a'] }, {})).toThrow('`a` is missing');
  expect(check({ required: ['constructor'] }, {})).toThrow('`constructor` is missing');
  expect(check(strict, { b: 1 })).toThrow('does not take `b`');
  expect(check(strict, { toString: 1 })).toThrow('does not take `toString`');
  expect(check(strict, { a: 'x'.repeat(100_000) })).not.toThrow();
  expect(check({ ...strict, patternProperties: {} }, { b: 1 })).not.toThrow();
  expect(check({ required: 'a', properties: null, additionalProperties: false }, {})).not.toThrow();
});
