// Makes text from tools and models inert and honest on a screen: what would be invisible or move the cursor is shown as a mark.

// Controls, format characters (bidi, zero-width), line and paragraph separators, and whatever else renders as nothing.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with every hidden character as `⟨U+202E⟩`; tabs and newlines stay. */
export function visible(text: string): string {
  return text.replace(hidden, (character) =>
    character === '\n' || character === '\t' ? character : mark(character),
  );
}

/** For one line of a prompt: newlines and tabs are marked as well. */
export function visibleLine(text: string): string {
  return text.replace(hidden, mark);
}

function mark(character: string): string {
  switch (character) {
    case '\n':
      return '⏎';
    case '\t':
      return '⇥';
    case '\r':
      return '␍';
    case '\u001b':
      return '␛';
    default:
      return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  }
}
