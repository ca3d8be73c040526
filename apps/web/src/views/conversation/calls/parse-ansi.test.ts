import { expect, test } from 'vitest';
import { parseAnsi } from './command-output.tsx';

const plain = (text: string): string =>
  parseAnsi(text)
    .map((span) => span.text)
    .join('');

test('colours are kept as names, and end where they end', () => {
  expect(parseAnsi('\u001b[1;32mok\u001b[0m then \u001b[91mbad\u001b[39m')).toEqual([
    { text: 'ok', color: 'green', isBold: true },
    { text: ' then ', color: undefined, isBold: false },
    { text: 'bad', color: 'red', isBold: false },
  ]);
});

test.each([
  ['moving the cursor', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['a title', '\u001b]0;owned\u0007x', 'x'],
  ['a link', '\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['a device string', '\u001bPq1\u001b\\x', 'x'],
  ['one that never ends', 'x\u001b[', 'x'],
  ['a progress line', '10%\r50%\r100%\ndone', '100%\ndone'],
  ['what hides', 'a\u202eb\u0000', 'a⟨U+202E⟩b⟨U+0000⟩'],
  ['a colour of 256', '\u001b[38;5;31mx\u001b[0m', 'x'],
])('%s leaves nothing but text', (_name, text, shown) => {
  expect(plain(text)).toBe(shown);
});
