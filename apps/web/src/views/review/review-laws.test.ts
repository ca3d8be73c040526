// Laws of a review: what is taken, split or written anew becomes exactly the decision that does it.

import { type ApprovalRequest, applyHunks, type DiffFile, type DiffHunk, hunkSides } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editableText, editedHunk } from './edited-hunk.ts';
import { reviewDecision } from './review-decision.ts';
import { edit, isChanged, isFileTaken, restore, split, startReview, take, toggle } from './review-state.ts';

const head = '--- a/x\n+++ b/x\n';
const diff = `${head}@@ -1,5 +1,5 @@
-one
+ONE
 two
 three
-four
+FOUR
 five
@@ -20 +20 @@
-twenty
+TWENTY
`;
const asked = (question?: { message: string; actions: string[] }) =>
  ({ plan: { ...(question && { question }) } }) as ApprovalRequest;
const plain = { carry: undefined, feedback: '' };

describe('the decision of a review', () => {
  test('is a plain yes for all of it, and numbers for whole hunks', async () => {
    const state = startReview(diff);
    expect(await reviewDecision(asked(), state, plain)).toEqual({ kind: 'approve' });
    expect(await reviewDecision(asked(), toggle(state, '1'), plain)).toEqual({ kind: 'hunks', take: [2] });
    const said = { carry: undefined, feedback: 'only this' };
    expect(await reviewDecision(asked(), toggle(state, '2'), said)).toEqual({
      kind: 'hunks',
      take: [1],
      feedback: 'only this',
    });
    // Split, but every part of it is taken: still the whole hunk.
    expect(await reviewDecision(asked(), split(state, '1'), plain)).toEqual({ kind: 'approve' });
  });

  test('is a no when nothing is taken, and a question is then cancelled', async () => {
    const none = take(startReview(diff), false);
    expect(await reviewDecision(asked(), none, plain)).toEqual({
      kind: 'reject',
      feedback: 'no hunk was taken',
    });
    const question = { message: 'Which?', actions: ['apply', 'cancel'] };
    expect(await reviewDecision(asked(question), none, plain)).toEqual({ kind: 'answer', action: 'cancel' });
    expect(await reviewDecision(asked(question), startReview(diff), plain)).toEqual({
      kind: 'hunks',
      take: [1, 2],
    });
  });

  test('carries a part of a hunk in the arguments, or says that it can not', async () => {
    const parts = toggle(split(startReview(diff), '1'), '1.1');
    expect(parts.pieces.map(({ key }) => key)).toEqual(['1.1', '1.2', '2']);
    expect(isFileTaken(parts, 0)).toBe('mixed');
    const carry = async (left: readonly DiffFile[]) => ({
      lines: left.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines)),
    });
    expect(await reviewDecision(asked(), parts, { carry, feedback: '' })).toEqual({
      kind: 'edit',
      args: { lines: [' three', '-four', '+FOUR', ' five', '-twenty', '+TWENTY'] },
    });
    expect(
      await reviewDecision(asked(), parts, { carry: async () => undefined, feedback: '' }),
    ).toBeUndefined();
    expect(isChanged(parts, 1)).toBe(true);
    expect(restore(parts, 1)).toEqual(startReview(diff));
  });
});

describe('a hunk that is written anew', () => {
  const word = fc.constantFrom('', 'a', 'b', 'c', '  d', '-e', '+f', '\\ g', '@@');
  const sided = fc.record({
    lines: fc.array(fc.tuple(fc.constantFrom(' ', '-', '+'), word), { minLength: 1, maxLength: 10 }),
    isCrlf: fc.boolean(),
    written: fc.array(word, { minLength: 1, maxLength: 10 }),
  });

  test('puts exactly the written lines where the old ones stood, ending as the file’s do', () => {
    fc.assert(
      fc.property(sided, ({ lines, isCrlf, written }) => {
        const end = isCrlf ? '\r' : '';
        const hunk = hunkOf(lines.map(([sign, text]) => `${sign}${text}${end}`));
        const { before } = hunkSides(hunk.lines);
        const text = written.join('\n');
        const wanted = text === '' ? '' : written.map((one) => `${one}${end}\n`).join('');
        const edited = editedHunk(hunk, text);
        if (edited === undefined) expect(before.join('')).toBe(wanted);
        else expect(applyHunks(before.join(''), [edited])).toBe(wanted);
      }),
    );
  });

  test('left as it is, it stays as it is', () => {
    const hunk = hunkOf([' a\r', '-b\r', '+c', ' d\r']);
    const text = editableText(hunk);
    expect(text).toBe('a\nc\nd');
    expect(editedHunk(hunk, text ?? '')?.lines).toEqual(hunk.lines);
  });

  test('keeps a missing line feed at the end of the file, and refuses what a field would change', () => {
    const open = hunkOf([' a', '-b', '\\ No newline at end of file', '+c', '\\ No newline at end of file']);
    const edited = editedHunk(open, 'a\nx\ny');
    expect(edited && applyHunks('a\nb', [edited])).toBe('a\nx\ny');
    expect(editableText(hunkOf(['+a\rb']))).toBeUndefined();
    expect(editedHunk(hunkOf([' a', '-b', '+c']), 'a\nb')).toBeUndefined();
  });

  test('an edit is taken, and given back', () => {
    const state = startReview(diff);
    const hunk = hunkOf(['-twenty', '+20']);
    const after = edit(toggle(state, '2'), '2', hunk);
    expect(after.pieces[1]).toMatchObject({ isTaken: true, isEdited: true, hunk });
    expect(restore(after, 2)).toEqual(state);
  });
});

function hunkOf(lines: string[]): DiffHunk {
  const { before, after } = hunkSides(lines);
  const start = (count: number): number => (count === 0 ? 0 : 1);
  return {
    oldStart: start(before.length),
    oldLines: before.length,
    newStart: start(after.length),
    newLines: after.length,
    section: '',
    lines,
  };
}
