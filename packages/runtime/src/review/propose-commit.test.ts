import { expect, test } from 'vitest';
import { commitMessage } from './propose-commit.ts';

test.each([
  ['Please fix the login form.', 'Fix the login form'],
  ['hey, could you please add a test for the parser?', 'Add a test for the parser'],
  ['\n\n## Rename `a` to `b`\nand more', 'Rename `a` to `b`'],
  [
    'Make the list sortable by every column. Then also add a filter for the names of people and write tests',
    'Make the list sortable by every column',
  ],
  [`fix ${'word '.repeat(30)}`, `Fix ${'word '.repeat(12)}word`],
  ['修复登录表单。', '修复登录表单'],
  ['', 'Update files'],
  ['...', 'Update files'],
])('%j is proposed as %j', (text, message) => {
  expect(commitMessage([text])).toBe(message);
});

test('several turns are listed below the first', () => {
  expect(commitMessage(['Add a menu', 'now fix its colours', 'Add a menu'])).toBe(
    'Add a menu\n\n- Add a menu\n- Fix its colours',
  );
});
