import { expect, test } from 'vitest';
import type { ReviewedFileState } from './review-source.ts';
import { resumeReview } from './review-state.ts';
import { fileTitle } from './review-text.ts';

test('the title of a file says what stood there and what does now, and no link reaches the terminal as it is', () => {
  const file: ReviewedFileState = {
    path: 'a.txt',
    op: 'update',
    diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +0,0 @@\n-one\n',
    hunks: [{ id: '1' }],
    digest: '1',
    added: 0,
    removed: 1,
    types: { before: { type: 'text' }, after: { type: 'symlink', target: '/etc/\u001b[31mhosts' } },
    calls: ['c1'],
    viewed: false,
  };
  const draft = { viewed: [], discard: [], edits: [], comments: [] };
  const state = resumeReview({
    turn: 1,
    turns: [1],
    version: '1',
    files: [file],
    draft,
    losses: [],
    commit: null,
  });
  expect(fileTitle(state, 0, { paint: (_style, text) => text, columns: 80 })).toEqual([
    'a.txt · +0 −1 · file 1 of 1',
    '  Type: text file → symbolic link to /etc/␛[31mhosts',
  ]);
});
