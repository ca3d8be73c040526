// What was typed since the text was last known to be on the disk, kept inside the editor's own state so that undo and tabs keep it right.
import { ChangeSet, type EditorState, StateEffect, StateField } from '@codemirror/state';
import type { Edit } from './exact-text.ts';

/** Says anew what was typed since. */
export const setEdits = StateEffect.define<ChangeSet>();

export const editsField = StateField.define<ChangeSet>({
  create: ({ doc }) => ChangeSet.empty(doc.length),
  update(edits, transaction) {
    const told = transaction.effects.findLast((effect) => effect.is(setEdits));
    if (told !== undefined) return told.value as ChangeSet;
    return transaction.docChanged ? edits.compose(transaction.changes) : edits;
  },
});

export function noEdits({ doc }: EditorState): ChangeSet {
  return ChangeSet.empty(doc.length);
}

export function editsOf(changes: ChangeSet): Edit[] {
  const edits: Edit[] = [];
  changes.iterChanges((from, to, _from, _to, text) => edits.push({ from, to, insert: text.toString() }));
  return edits;
}
