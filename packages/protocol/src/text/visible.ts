// Makes text from tools and models inert and honest on a screen: what would be invisible or move the cursor is shown as a mark.

// Controls, format characters (bidi, zero-width), line and paragraph separators, and all other invisible characters.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts have nothing hidden, and this test takes a tenth of the time. */
const printable = /^[\t\n\x20-\x7e]*$/;

/** The text with every hidden character as `⟨U+202E⟩`; tabs and newlines stay. */
export function visible(text: string): string {
  if (printable.test(text)) return text;
  return text.replace(hidden, (character) =>
    character === '\n' || character === '\t' ? character : mark(character),
  );
}

/** For one line of a prompt: newlines and tabs are marked as well. */
export function visibleLine(text: string): string {
  return text.replace(hidden, mark);
}

/** The first names of a list for a message: `a.ts, b.ts and 3 more`. */
export function firstNames(names: readonly string[], maxNames = 10): string {
  const rest = names.length - maxNames;
  const first = names.slice(0, maxNames).map(visibleLine).join(', ');
  return rest > 0 ? `${first} and ${rest} more` : first;
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

// Misleading characters of a line: those that reverse its direction or are invisible, and letters that resemble others.

type MisleadingKind = 'bidi' | 'hidden' | 'lookalike';
export type Misleading = { kind: MisleadingKind; range: [from: number, to: number]; text: string };

const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// Cheap first question: most lines of code are plain.
const plainLine = /^[\t\x20-\x7e]*\r?$/;

export function misleading(line: string): Misleading[] {
  if (plainLine.test(line)) return [];
  return [...unseen(line), ...lookalikes(line)];
}

function unseen(line: string): Misleading[] {
  return [...line.matchAll(hidden)].flatMap(({ 0: text, index }): Misleading[] => {
    if (text === '\t' || (text === '\r' && index === line.length - 1)) return [];
    // Between emoji, a joiner or a variation selector is normal spelling.
    if (/[\u200d\ufe0e\ufe0f]/u.test(text) && isAfterPicture(line, index)) return [];
    const kind = text.search(bidi) === 0 ? 'bidi' : 'hidden';
    return [{ kind, range: [index, index + text.length], text }];
  });
}

function isAfterPicture(line: string, index: number): boolean {
  const before = line.slice(Math.max(0, index - 2), index);
  return /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(before);
}

/** A word of letters from several alphabets that look alike, or of letters that only look like plain ones. */
function lookalikes(line: string): Misleading[] {
  return [...line.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)].flatMap(({ 0: text, index }): Misleading[] => {
    const isMixed =
      /\p{Script=Latin}/u.test(text) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(text);
    const isDisguised = /^[\x20-\x7e]+$/.test(text.normalize('NFKC')) && !/^[\x20-\x7e]+$/.test(text);
    return isMixed || isDisguised ? [{ kind: 'lookalike', range: [index, index + text.length], text }] : [];
  });
}
