// Makes text from tools and models inert and honest on a screen: what would be invisible or move the cursor is shown as a mark.

// Controls, bidi overrides and isolates, zero-width and other format characters, line/paragraph separators, tags, variation selectors.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each character stands for itself.
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** The text with every hidden character as `⟨U+202E⟩`; tabs and newlines stay. */
export function visible(text: string): string {
  return text.replace(hidden, mark);
}

/** For one line of a prompt: newlines and tabs are marked as well. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t]/g, (c) => (c === '\n' ? '⏎' : '⇥'));
}

function mark(character: string): string {
  if (character === '\r') return '␍';
  if (character === '\u001b') return '␛';
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
