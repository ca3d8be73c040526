import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanOutput, wholeEnd, wholeStart, withoutPartialEscape } from './capture-output.ts';

const printable = fc.string({ unit: fc.constantFrom(...'aZ09 é漢🙂\n\t[]m;'), maxLength: 200 });
const noise = fc.string({
  unit: fc.constantFrom('\u001b', '[', ']', '0', ';', 'm', '\u0007', '\\', '\r', '\n', 'x', '\u009b', '\0'),
});

test('plain text stays as it is', () => {
  fc.assert(fc.property(printable, (text) => void expect(cleanOutput(text)).toBe(text)));
});

test('nothing that a terminal obeys is left of anything', () => {
  fc.assert(
    fc.property(noise, (text) => {
      const controlCharacters = [...cleanOutput(text)].filter(
        (char) => /\p{Cc}/u.test(char) && char !== '\n' && char !== '\t',
      );
      expect(controlCharacters).toEqual([]);
    }),
  );
});

test('an instruction that never ends hides nothing but its own beginning', () => {
  expect(cleanOutput('a\u001b]0;b\nc')).toBe('a0;b\nc');
  expect(cleanOutput('a\u001b[31')).toBe('a31');
});

test('a megabyte of beginnings takes no longer than a megabyte of text', () => {
  const started = performance.now();
  for (const piece of ['\u001b]', '\u001b[', '\u001b[1;', '\u001bP', '\r'])
    cleanOutput(piece.repeat(300_000));
  expect(performance.now() - started).toBeLessThan(3000);
});

test('a cut text has whole characters only', () => {
  fc.assert(
    fc.property(printable, fc.nat(400), (text, at) => {
      const bytes = Buffer.from(text);
      const cut = Math.min(at, bytes.length);
      expect(wholeEnd(bytes.subarray(0, cut)).toString()).not.toContain('\uFFFD');
      expect(wholeStart(bytes.subarray(cut)).toString()).not.toContain('\uFFFD');
    }),
  );
});

test('an instruction that has only begun is held back', () => {
  expect(withoutPartialEscape('ab\u001b')).toBe('ab');
  expect(withoutPartialEscape('ab\u001b[3')).toBe('ab');
  expect(withoutPartialEscape('ab\u001b]8;;http')).toBe('ab');
  expect(withoutPartialEscape('ab\u001b[31mred')).toBe('ab\u001b[31mred');
});
