import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNotebookText } from './json-spans.ts';
import { skipBlanks, skipValue } from './scan-json.ts';

test('N-12 tells a notebook from a text that is none any more', () => {
  expect(isNotebookText('{"cells": [], "nbformat": 4}\n')).toBe(true);
  expect(isNotebookText('{"worksheets": [], "nbformat": 3}')).toBe(true);
  expect(isNotebookText('{"cells": [}')).toBe(false);
  expect(isNotebookText('{"cells": []} x')).toBe(false);
  expect(isNotebookText('{"cells": {}}')).toBe(false);
  expect(isNotebookText('[]')).toBe(false);
  expect(isNotebookText('')).toBe(false);
  expect(isNotebookText(`{"cells": ${'['.repeat(500_000)}`)).toBe(false);
});

const accepts = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

test('reads exactly the texts that JSON.parse reads', () => {
  const place = fc.nat();
  const insertion = fc.constantFrom(
    '',
    ',',
    '"',
    '\\',
    '0',
    '-',
    '1.',
    'e',
    '}',
    ']',
    '{',
    '[',
    ':',
    't',
    'null',
    '\n',
    '\u0001',
    '\u00a0',
    '\\u12',
    '01',
    '+1',
    '1e5',
    '.5',
  );
  const spaced = fc
    .tuple(fc.json(), fc.constantFrom(0, 1))
    .map(([json, indent]) => JSON.stringify(JSON.parse(json), null, indent));
  fc.assert(
    fc.property(spaced, place, fc.nat(3), insertion, (json, at, removed, inserted) => {
      const start = at % (json.length + 1);
      const text = json.slice(0, start) + inserted + json.slice(start + removed);
      const isRead = accepts(() => {
        if (skipBlanks(text, skipValue(text, 0)) !== text.length) throw new Error('more follows');
      });
      expect(isRead).toBe(accepts(() => JSON.parse(text)));
    }),
    { numRuns: 10_000 },
  );
});
