// Output before the terminal shows it: characters that reorder others or are invisible are spelled out. Escape sequences are left to the
// terminal, which interprets only those that draw.
const misleading = /[\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2064\u2066-\u2069\ufeff]/g;

export function spellHiddenCharacters(text: string): string {
  return text.replace(
    misleading,
    (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
