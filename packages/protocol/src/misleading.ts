// What in a line could mislead the eye: characters that turn its direction or are not seen, and letters that look like others.

type MisleadingKind = 'bidi' | 'hidden' | 'lookalike';
export type Misleading = { kind: MisleadingKind; range: [from: number, to: number]; text: string };

const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
// Cheap first question: most lines of code are plain.
const plain = /^[\t\x20-\x7e]*\r?$/;

export function misleading(line: string): Misleading[] {
  if (plain.test(line)) return [];
  return [...unseen(line), ...lookalikes(line)];
}

function unseen(line: string): Misleading[] {
  return [...line.matchAll(hidden)].flatMap(({ 0: text, index }): Misleading[] => {
    if (text === '\t' || (text === '\r' && index === line.length - 1)) return [];
    // Between emoji a joiner and a picture's variant are how they are written.
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
