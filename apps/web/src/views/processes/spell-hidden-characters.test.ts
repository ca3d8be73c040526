import { expect, test } from 'vitest';
import { spellHiddenCharacters } from './spell-hidden-characters.ts';

test('what would turn text around is spelled out; colours and letters stay', () => {
  expect(spellHiddenCharacters('\u001b[31mred\u001b[0m é 漢 \u202Egnp.exe')).toBe(
    '\u001b[31mred\u001b[0m é 漢 ⟨U+202E⟩gnp.exe',
  );
});
