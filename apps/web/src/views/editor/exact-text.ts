// The exact text of a file while it is edited: line endings and bytes the editor does not show, and the edits that keep them.
import { ChangeSet, type EditorState, StateEffect, StateField } from '@codemirror/state';

// The file's own bytes after an edit. The editor knows lines, not how they end: whatever was not edited keeps its ending, a new line ends as
// those it replaces or stands beside. Offsets are those of the editor, where every ending is one character.
export type TextEdit = { from: number; to: number; insert: string };

const ending = /\r\n|\r|\n/g;

/** `edits` in order and apart, with plain line feeds. */
export function exactText(original: string, edits: readonly TextEdit[]): string {
  const shown = editorText(original);
  const place = placesIn(original);
  const written = writer();
  let at = 0;
  for (const edit of edits) {
    const { from, to, insert } = trimmed(shown, edit);
    const [start, end] = [place(from), place(to)];
    written.add(original.slice(at, start));
    const replaced = original.slice(start, end).match(ending) ?? [];
    const beside = endingBeside(original, start, end);
    for (const [i, line] of insert.split('\n').entries()) {
      if (i > 0) written.add(replaced[i - 1] ?? beside);
      written.add(line);
    }
    at = end;
  }
  written.add(original.slice(at));
  return written.text();
}

/** As the editor shows it. */
export function editorText(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

// Text that is again as it was, after an undo or typed again, counts as not edited.
function trimmed(shown: string, { from, to, insert }: TextEdit): TextEdit {
  let start = 0;
  while (from + start < to && start < insert.length && shown[from + start] === insert[start]) start++;
  let end = 0;
  while (
    from + start < to - end &&
    start < insert.length - end &&
    shown[to - end - 1] === insert.at(-end - 1)
  )
    end++;
  return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) };
}

/** Where an offset of the editor lies in the file. To be asked in ascending order. */
function placesIn(original: string): (offset: number) => number {
  let pairs = 0;
  let next = original.indexOf('\r\n');
  return (offset) => {
    while (next !== -1 && next - pairs < offset) {
      pairs++;
      next = original.indexOf('\r\n', next + 2);
    }
    return offset + pairs;
  };
}

function endingBeside(original: string, start: number, end: number): string {
  const feed = original.lastIndexOf('\n', start - 1);
  const turn = original.lastIndexOf('\r', start - 1);
  if (start > 0 && Math.max(feed, turn) >= 0) {
    if (turn > feed) return '\r';
    return original[feed - 1] === '\r' ? '\r\n' : '\n';
  }
  ending.lastIndex = end;
  const [after] = ending.exec(original) ?? [];
  ending.lastIndex = 0;
  return after ?? '\n';
}

// Two endings that come to stand side by side must not become one: `\r` before `\n` is written `\r\n`.
function writer(): { add(piece: string): void; text(): string } {
  const pieces: string[] = [];
  let isOpen = false;
  return {
    add(piece) {
      if (piece === '') return;
      if (isOpen && piece.startsWith('\n')) pieces.push('\n');
      pieces.push(piece);
      isOpen = piece.endsWith('\r');
    },
    text: () => pieces.join(''),
  };
}

// The unsaved edits since the text last matched the disk, stored inside the editor's own state so that undo and tabs keep them right.
/** Says anew what was typed since. */
export const setEdits = StateEffect.define<ChangeSet>();

export const editsField = StateField.define<ChangeSet>({
  create: ({ doc }) => ChangeSet.empty(doc.length),
  update(edits, transaction) {
    const reset = transaction.effects.findLast((effect) => effect.is(setEdits));
    if (reset !== undefined) return reset.value as ChangeSet;
    return transaction.docChanged ? edits.compose(transaction.changes) : edits;
  },
});

export function noEdits({ doc }: EditorState): ChangeSet {
  return ChangeSet.empty(doc.length);
}

export function editsOf(changes: ChangeSet): TextEdit[] {
  const edits: TextEdit[] = [];
  changes.iterChanges((from, to, _from, _to, text) => edits.push({ from, to, insert: text.toString() }));
  return edits;
}
