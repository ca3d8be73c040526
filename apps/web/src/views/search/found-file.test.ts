import { expect, test } from 'vitest';
import { aroundMatch } from './found-file.tsx';

test('the match stays in sight, whatever stands before it', () => {
  const text = `    ${'x'.repeat(40)}wanted();`;
  expect(aroundMatch({ path: 'a', line: 1, column: 45, text, match: 'wanted' })).toEqual({
    ...{ before: `…${'x'.repeat(16)}`, match: 'wanted', after: '();' },
  });
  expect(aroundMatch({ path: 'a', line: 1, column: 9, text: 'éé wanted', match: 'wanted' })).toEqual({
    ...{ before: 'éé ', match: 'wanted', after: '' },
  });
});
