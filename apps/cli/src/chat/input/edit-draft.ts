// The editing keys of shells and readline. Undefined for any other key.
import type { Key } from 'node:readline';
import { type Draft, insert } from './draft.ts';

const graphemes = new Intl.Segmenter();
const control = /[\p{Cc}]/u;

type Edit = (draft: Draft) => Draft;

export function editDraft(draft: Draft, key: Key): Draft | undefined {
  const { name = '', ctrl = false, meta = false, sequence = '' } = key;
  const prefix = ctrl ? 'ctrl-' : meta ? 'alt-' : '';
  const edit = Object.hasOwn(edits, prefix + name) ? edits[prefix + name] : undefined;
  if (edit !== undefined) return edit(draft);
  const isText = !ctrl && !meta && sequence !== '' && !control.test(sequence);
  return isText ? insert(draft, sequence) : undefined;
}

const to =
  (place: (draft: Draft) => number): Edit =>
  (draft) => ({ ...draft, cursor: place(draft) });

const cut =
  (place: (draft: Draft) => number, { isKept }: { isKept: boolean }): Edit =>
  (draft) => {
    const { text, cursor } = draft;
    const [from, until] = [cursor, place(draft)].toSorted((a, b) => a - b) as [number, number];
    const removed = text.slice(from, until);
    const killed = isKept && removed !== '' ? removed : draft.killed;
    return { ...draft, text: text.slice(0, from) + text.slice(until), cursor: from, killed };
  };

const edits: Record<string, Edit> = {
  left: to(before),
  'ctrl-b': to(before),
  right: to(after),
  'ctrl-f': to(after),
  home: to(lineStart),
  'ctrl-a': to(lineStart),
  end: to(lineEnd),
  'ctrl-e': to(lineEnd),
  'alt-left': to(wordStart),
  'ctrl-left': to(wordStart),
  'alt-b': to(wordStart),
  'alt-right': to(wordEnd),
  'ctrl-right': to(wordEnd),
  'alt-f': to(wordEnd),
  backspace: cut(before, { isKept: false }),
  'ctrl-h': cut(before, { isKept: false }),
  delete: cut(after, { isKept: false }),
  'ctrl-d': cut(after, { isKept: false }),
  'ctrl-w': cut(spaceStart, { isKept: true }),
  'alt-backspace': cut(wordStart, { isKept: true }),
  'ctrl-backspace': cut(wordStart, { isKept: true }),
  'alt-d': cut(wordEnd, { isKept: true }),
  'ctrl-u': cut(lineStart, { isKept: true }),
  'ctrl-k': cut(lineEnd, { isKept: true }),
  'ctrl-y': (draft) => ({
    ...draft,
    text: draft.text.slice(0, draft.cursor) + draft.killed + draft.text.slice(draft.cursor),
    cursor: draft.cursor + draft.killed.length,
  }),
  'alt-return': (draft) => insert(draft, '\n'),
  'alt-enter': (draft) => insert(draft, '\n'),
  enter: (draft) => insert(draft, '\n'),
  'ctrl-j': (draft) => insert(draft, '\n'),
};

function before({ text, cursor }: Draft): number {
  return cursor === 0 ? 0 : (graphemes.segment(text).containing(cursor - 1)?.index ?? cursor - 1);
}

function after({ text, cursor }: Draft): number {
  const next = graphemes.segment(text).containing(cursor);
  return next === undefined ? text.length : next.index + next.segment.length;
}

function lineStart({ text, cursor }: Draft): number {
  return text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

function wordStart({ text, cursor }: Draft): number {
  return text.slice(0, cursor).replace(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u, '').length;
}

function wordEnd({ text, cursor }: Draft): number {
  const rest = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))?.[0] ?? '';
  return cursor + rest.length;
}

function spaceStart({ text, cursor }: Draft): number {
  return text.slice(0, cursor).replace(/\S*\s*$/u, '').length;
}

/** One line up or down in the text; undefined where there is no such line. */
export function moveLine(draft: Draft, by: -1 | 1): Draft | undefined {
  const { text } = draft;
  const start = lineStart(draft);
  const column = draft.cursor - start;
  if (by < 0) {
    if (start === 0) return undefined;
    const above = lineStart({ ...draft, cursor: start - 1 });
    return { ...draft, cursor: Math.min(above + column, start - 1) };
  }
  const end = lineEnd(draft);
  if (end === text.length) return undefined;
  const below = lineEnd({ ...draft, cursor: end + 1 });
  return { ...draft, cursor: Math.min(end + 1 + column, below) };
}
