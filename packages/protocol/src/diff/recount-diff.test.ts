import { expect, test } from 'vitest';
import { recountDiff } from './recount-diff.ts';

const diffOf = (body: string) => `--- a/x\n+++ b/x\n${body}`;

test.each([
  ['too many counted', '@@ -1,9 +1,9 @@ f()\n a\n-b\n+c\n', '@@ -1,2 +1,2 @@ f()'],
  ['too few counted', '@@ -1 +1 @@\n a\n-b\n+c\n', '@@ -1,2 +1,2 @@'],
  ['too few, and an empty line of context', '@@ -1 +1 @@\n-a\n+b\n c\n\n d\n', '@@ -1,4 +1,4 @@'],
  ['empty lines at the end', '@@ -1,5 +1,5 @@\n a\n-b\n+c\n\n\n', '@@ -1,2 +1,2 @@'],
  ['no newline at the end', '@@ -1,5 +1,5 @@\n-a\n+b\n\\ No newline at end of file\n', '@@ -1,1 +1,1 @@'],
  ['a new file', '@@ -0,0 +1,7 @@\n+a\n+b\n@@ -9 +9 @@\n-c\n+d\n', '@@ -0,0 +1,2 @@'],
])('%s: the header says what the lines are', (_, body, header) => {
  expect(recountDiff(diffOf(body))?.split('\n')[2]).toBe(header);
});

test('a hunk ends at the next one, at the next file, and at git’s own header', () => {
  const hunk = '@@ -5,7 +5,7 @@\n a\n-b\n+c\n';
  const right = '@@ -5,2 +5,2 @@\n a\n-b\n+c\n';
  const git = 'diff --git a/z b/z\n--- a/z\n+++ b/z\n';
  const severalFiles = (hunkText: string) =>
    `${diffOf(hunkText)}@@ -20 +20 @@\n-d\n+e\n--- a/y\n+++ b/y\n${hunkText}\n${git}${hunkText}`;
  expect(recountDiff(severalFiles(hunk))).toBe(severalFiles(right));
});

test.each([
  ['counts that are right', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n'],
  ['lines that look like a header, but are counted', '@@ -1,2 +1,2 @@\n--- a\n+++ b\n c\n'],
  ['a signature below', '@@ -1 +1 @@\n-a\n+b\n-- \n2.40.1\n'],
  ['prose below right counts', '@@ -1 +1 @@\n-a\n+b\n\n- that is all\n'],
])('stays as it is: %s', (_, body) => expect(recountDiff(diffOf(body))).toBeUndefined());

test.each([
  ['a line without a sign', '@@ -1,5 +1,5 @@\n a\n-b\n+c\nd\n'],
  ['prose at its end', '@@ -1,5 +1,5 @@\n a\n-b\n+c\nThat is all.\n'],
  ['what may be the header of a file', '@@ -1,9 +1,9 @@\n a\n--- b\n+++ c\n d\n'],
  ['a signature', '@@ -1,9 +1,9 @@\n a\n-b\n+c\n-- \n2.40.1\n'],
  ['an end that is missing', '@@ -1,3 +1,9 @@\n a\n-b\n+c\n+d\n'],
  ['more to be added than there is', '@@ -1,1 +1,2 @@\n-a\n-b\n+c\n'],
  ['nothing old where something was counted', '@@ -3,1 +3,2 @@\n+a\n+b\n'],
  ['no change', '@@ -1,5 +1,5 @@\n a\n'],
])('is in doubt, and stays as it is: %s', (_, body) => expect(recountDiff(diffOf(body))).toBeUndefined());
