import { expect, test } from 'vitest';
import { honestText } from './honest-text.ts';

test('what would turn or hide prose is shown, emoji stay', () => {
  expect(honestText('a\u202eb\u0007 👨‍👩‍👧 ✔️\r\n\tc')).toBe('a⟨U+202E⟩b⟨U+0007⟩ 👨‍👩‍👧 ✔️\r\n\tc');
});
