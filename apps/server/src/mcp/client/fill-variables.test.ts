import { expect, test } from 'vitest';
import { fillVariables } from './open-transport.ts';

const token = ['Bearer $', '{TOKEN}'].join('');

test('takes the user’s variables, and says which one is missing', () => {
  const env = { TOKEN: 'a$&b', EMPTY: '' };
  expect(fillVariables('docs', { Authorization: token, X: '$TOKEN' }, env)).toEqual({
    Authorization: 'Bearer a$&b',
    X: '$TOKEN',
  });
  expect(fillVariables('docs', undefined, env)).toEqual({});
  expect(() => fillVariables('docs', { Authorization: token }, {})).toThrow(
    'The MCP server docs: `Authorization` needs the variable TOKEN, which is not set.',
  );
});
