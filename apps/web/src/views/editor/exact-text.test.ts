import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editorText, exactText, type TextEdit } from './exact-text.ts';

const mixed = fc
  .array(fc.tuple(fc.stringMatching(/^[ab\u{1F600}]{0,3}$/u), fc.constantFrom('\n', '\r\n', '\r', '')), {
    maxLength: 14,
  })
  .map((lines) => lines.flat().join(''));
const inserted = fc.stringMatching(/^[xy\n]{0,5}$/);
const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), inserted), { minLength: 1, maxLength: 6 });

/** The steps one after another, as they would be typed. */
function typed(text: string, wanted: readonly (readonly [number, number, string])[]) {
  let doc = Text.of(editorText(text).split('\n'));
  const start = doc;
  let changes = ChangeSet.empty(doc.length);
  for (const [a, b, insert] of wanted) {
    const [from = 0, to = 0] = [a % (doc.length + 1), b % (doc.length + 1)].sort((x, y) => x - y);
    const change = ChangeSet.of({ from, to, insert }, doc.length);
    doc = change.apply(doc);
    changes = changes.compose(change);
  }
  return { start, changes, doc };
}

function editsOf(changes: ChangeSet): TextEdit[] {
  const edits: TextEdit[] = [];
  changes.iterChanges((from, to, _from, _to, text) => edits.push({ from, to, insert: text.toString() }));
  return edits;
}

describe('an edited text', () => {
  test('law: shows what the editor shows', () => {
    fc.assert(
      fc.property(mixed, steps, (text, wanted) => {
        const { changes, doc } = typed(text, wanted);
        expect(editorText(exactText(text, editsOf(changes)))).toBe(doc.toString());
      }),
      { numRuns: 1000 },
    );
  });

  test('law: what is undone is the same bytes again', () => {
    fc.assert(
      fc.property(mixed, steps, (text, wanted) => {
        const { start, changes } = typed(text, wanted);
        expect(exactText(text, editsOf(changes.compose(changes.invert(start))))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('law: before and after an edit every byte stays', () => {
    const line = fc.stringMatching(/^[a-c]{1,3}$/);
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const lines = fc.array(fc.tuple(line, ends), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(lines, fc.nat(), fc.stringMatching(/^[x\n]{1,4}$/), (parts, seed, insert) => {
        const at = seed % parts.length;
        const bytes = (part: typeof parts) => part.flat().join('');
        const [before, [replaced, end] = ['', ''], after] = [
          parts.slice(0, at),
          parts[at],
          parts.slice(at + 1),
        ];
        const from = editorText(bytes(before)).length;
        const text = exactText(bytes(parts), [{ from, to: from + replaced.length, insert }]);
        expect(text.startsWith(bytes(before))).toBe(true);
        expect(text.endsWith(bytes(after))).toBe(true);
        if (!insert.includes('\n')) expect(text).toBe(bytes(before) + insert + end + bytes(after));
      }),
    );
  });

  test('new lines end as those beside them', () => {
    expect(exactText('a\r\nb\r\n', [{ from: 3, to: 3, insert: '\nc' }])).toBe('a\r\nb\r\nc\r\n');
    expect(exactText('a\nb\r\nc\n', [{ from: 3, to: 3, insert: '!\n?' }])).toBe('a\nb!\n?\r\nc\n');
    expect(exactText('', [{ from: 0, to: 0, insert: 'a\nb' }])).toBe('a\nb');
    expect(exactText('a\r\n', [{ from: 0, to: 0, insert: 'x\n' }])).toBe('x\r\na\r\n');
  });

  test('two endings never become one', () => {
    expect(exactText('a\rb\n', [{ from: 2, to: 3, insert: '' }])).toBe('a\r\n\n');
  });
});
