// Laws of a review: hunks that are chosen, split or edited become exactly the corresponding decision.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyHunks, type DiffHunk, hunkSides } from '../diff/unified-diff.ts';
import { hunkFieldText, hunkFromEditor, hunkFromField } from './edit-hunk.ts';
import {
  editItem,
  isFileTaken,
  restoreHunk,
  reviewDecision,
  setTaken,
  splitItem,
  startReview,
  toggleTaken,
} from './review.ts';
import { reviewMessage } from './review-message.ts';

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
const question = { message: 'Which?', actions: ['apply', 'cancel'] };

describe('the decision of a review', () => {
  const review = startReview(diff);

  test('is an approval of all of it, and numbers for whole hunks', () => {
    expect(reviewDecision(review, {})).toEqual({ kind: 'approve' });
    expect(reviewDecision(toggleTaken(review, '1'), {})).toEqual({ kind: 'hunks', take: [2] });
    expect(reviewDecision(toggleTaken(review, '2'), {}, 'only this')).toEqual({
      kind: 'hunks',
      take: [1],
      feedback: 'only this',
    });
    expect(reviewDecision(review, { question })).toEqual({ kind: 'hunks', take: [1, 2] });
    // Split, but every part of it is taken: still the whole hunk.
    expect(reviewDecision(splitItem(review, '1'), {})).toEqual({ kind: 'approve' });
  });

  test('is a rejection when nothing is taken, and a question is then cancelled', () => {
    const none = setTaken(review, false);
    expect(reviewDecision(none, {})).toEqual({ kind: 'reject', feedback: 'no hunk was taken' });
    expect(reviewDecision(none, { question })).toEqual({ kind: 'answer', action: 'cancel' });
  });

  test('carries a part of a hunk as its text', () => {
    const parts = toggleTaken(splitItem(review, '1'), '1.1');
    expect(parts.items.map(({ key }) => key)).toEqual(['1.1', '1.2', '2']);
    expect(isFileTaken(parts, 0)).toBe('mixed');
    expect(reviewDecision(parts, {})).toEqual({
      kind: 'hunks',
      take: [1, 2],
      edits: [{ hunk: 1, text: 'one\ntwo\nthree\nFOUR\nfive\n' }],
    });
    expect(restoreHunk(parts, 1)).toEqual(review);
  });

  test('does not take what was edited back to the old text', () => {
    const back = editItem(review, '2', hunkOf(['-twenty', '+twenty']));
    expect(reviewDecision(back, {})).toEqual({ kind: 'hunks', take: [1] });
  });

  test('takes a mere rename by its number', () => {
    const rename = 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n';
    const both = startReview(`${rename}diff --git a/x b/x\n${diff}`);
    expect(reviewDecision(toggleTaken(both, '2'), {})).toEqual({ kind: 'hunks', take: [1, 3] });
  });
});

test('comments become one message, with the lines they are about', () => {
  const comments = [
    { path: 'x', line: 20, side: 'new' as const, text: ' Say why.\n' },
    { path: 'x', line: 4, side: 'old' as const, text: 'Keep this.' },
    { path: 'gone', line: 7, side: 'new' as const, text: 'Twice?' },
  ];
  expect(reviewMessage(comments, [{ path: 'x', diff }])).toBe(
    `I reviewed your changes and have 3 comments. Please address each of them.

gone:7
Twice?

x:4 (removed)
> four
Keep this.

x:20
> TWENTY
Say why.`,
  );
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
        const expected = text === '' ? '' : written.map((line) => `${line}${end}\n`).join('');
        const edited = hunkFromField(hunk, text);
        if (edited === undefined) expect(before.join('')).toBe(expected);
        else expect(applyHunks(before.join(''), [edited])).toBe(expected);
      }),
    );
  });

  test('left as it is, it stays as it is', () => {
    const hunk = hunkOf([' a\r', '-b\r', '+c', ' d\r']);
    const text = hunkFieldText(hunk);
    expect(text).toBe('a\nc\nd');
    expect(hunkFromField(hunk, text ?? '')?.lines).toEqual(hunk.lines);
  });

  test('keeps a missing line feed at the end of the file, and refuses what a field would change', () => {
    const open = hunkOf([' a', '-b', '\\ No newline at end of file', '+c', '\\ No newline at end of file']);
    const edited = hunkFromField(open, 'a\nx\ny');
    expect(edited && applyHunks('a\nb', [edited])).toBe('a\nx\ny');
    expect(hunkFieldText(hunkOf(['+a\rb']))).toBeUndefined();
    expect(hunkFromField(hunkOf([' a', '-b', '+c']), 'a\nb')).toBeUndefined();
  });

  test('an edit is taken, and undone', () => {
    const review = startReview(diff);
    const hunk = { ...hunkOf(['-twenty', '+20']), oldStart: 20 };
    const after = editItem(toggleTaken(review, '2'), '2', hunk);
    expect(after.items[1]).toMatchObject({ isTaken: true, isEdited: true, hunk });
    expect(reviewDecision(after, {})).toMatchObject({ edits: [{ hunk: 2, text: '20\n' }] });
    expect(restoreHunk(after, 2)).toEqual(review);
  });

  test('in an editor must keep the lines of the file', () => {
    const hunk = hunkOf([' a', '-b', '+c', ' d']);
    expect(hunkFromEditor(hunk, '# note\n@@ -1 +1 @@\n a\n b\n+x\n d\n')).toMatchObject({
      oldLines: 3,
      newLines: 4,
      lines: [' a', ' b', '+x', ' d'],
    });
    expect(hunkFromEditor(hunk, '# only notes\n')).toBeUndefined();
    expect(hunkFromEditor(hunk, ' a\n+c\n d\n')).toContain('line 2 of the file must stay');
    expect(hunkFromEditor(hunk, ' a\n b\n d\n')).toContain('changes nothing');
    expect(hunkFromEditor(hunk, ' a\n-b\n+c\n\\ No newline at end of file\n d\n')).toContain(
      'only the last line',
    );
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
