// The text being typed, the cursor, and the last cut text. A long paste is one placeholder character in the text.

export type Draft = { text: string; cursor: number; killed: string; pastes: readonly string[] };

export const emptyDraft: Draft = { text: '', cursor: 0, killed: '', pastes: [] };

// Placeholders are private-use characters: typed or pasted ones are replaced by U+FFFD.
const firstSign = 0xf0000;
const signs = /[\u{f0000}-\u{ffffd}]/gu;
const maxPastes = 1000;

const longestInline = { lines: 4, chars: 800 };

export function toDraft(text: string): Draft {
  const clean = text.replace(signs, '\ufffd');
  return { ...emptyDraft, text: clean, cursor: clean.length };
}

export function insert(draft: Draft, text: string): Draft {
  const clean = text.replace(signs, '\ufffd');
  return insertText(draft, clean);
}

export function paste(draft: Draft, pasted: string): Draft {
  const text = pasted.replaceAll(/\r\n?/g, '\n');
  const isShort = text.split('\n').length < longestInline.lines && text.length <= longestInline.chars;
  if (isShort || draft.pastes.length >= maxPastes) return insert(draft, text);
  const sign = String.fromCodePoint(firstSign + draft.pastes.length);
  return insertText({ ...draft, pastes: [...draft.pastes, text] }, sign);
}

/** The text with every paste in its place, as it is sent. */
export function draftText({ text, pastes }: Draft): string {
  return text.replace(signs, (sign) => pastes[(sign.codePointAt(0) ?? 0) - firstSign] ?? '');
}

/** The label of a placeholder that stands for a paste. */
export function pasteLabel(character: string, { pastes }: Draft): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const text = code < firstSign ? undefined : pastes[code - firstSign];
  if (text === undefined) return undefined;
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines === 1 ? `[pasted ${text.length} characters]` : `[pasted ${lines} lines]`;
}

function insertText(draft: Draft, added: string): Draft {
  const { text, cursor } = draft;
  return {
    ...draft,
    text: text.slice(0, cursor) + added + text.slice(cursor),
    cursor: cursor + added.length,
  };
}
