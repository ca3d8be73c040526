import { describe, expect, test } from 'vitest';
import { applyEdits, type EditOptions } from './apply-edits.ts';

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
});
const apply = (text: string, old: string, next: string, options: EditOptions = {}) =>
  applyEdits(text, [edit(old, next)], options);

const refusedWith = (details: Record<string, unknown>) =>
  expect.objectContaining({ code: 'INVALID_ARGUMENTS', details: expect.objectContaining(details) });

describe('tolerant matching', () => {
  const tolerant = { tolerant: true };

  test('is never used unless asked for', () => {
    expect(() => apply('a  \nb\n', 'a\nb', 'x')).toThrow(refusedWith({ reason: 'not_found' }));
  });

  test('overlooks trailing blanks on either side, and leaves those outside the match', () => {
    expect(apply('a  \nb \nc\n', 'a\nb', 'x\ny', tolerant)).toMatchObject({
      text: 'x\ny \nc\n',
      tolerant: ['trailing blanks'],
    });
    expect(apply('a\nb\nc\n', 'a\nb  ', 'x', tolerant)).toMatchObject({
      text: 'x\nc\n',
      tolerant: ['trailing blanks'],
    });
  });

  test('blanks at the end of the string do not match inside a word', () => {
    expect(() => apply('foobar\n', 'foo ', 'x', tolerant)).toThrow(refusedWith({ matches: 0 }));
  });

  test('overlooks typographic characters, also inside a line, and names each kind', () => {
    expect(apply('say(“hi”);\n', '"hi"', '"bye"', tolerant)).toMatchObject({
      text: 'say("bye");\n',
      tolerant: ['typographic quotes'],
    });
    expect(apply('it’s 1–2\u00a0cm\n', "it's 1-2 cm", 'x', tolerant).tolerant).toEqual([
      'typographic quotes',
      'typographic dashes',
      'no-break spaces',
    ]);
  });

  test('lines that the edit does not change keep the text of the file', () => {
    const text = 'say(“hi”);  \r\nold();\r\nend\r\n';
    expect(apply(text, 'say("hi");\nold();\n', 'say("hi");\nnew();\nmore();\n', tolerant)).toMatchObject({
      text: 'say(“hi”);  \r\nnew();\r\nmore();\r\nend\r\n',
      tolerant: ['line endings', 'trailing blanks', 'typographic quotes'],
    });
  });

  test('takes the endings of the file for strings written with CRLF', () => {
    expect(apply('a\nb\nc\n', 'a\r\nb\r\n', 'a\r\nx\r\n', tolerant)).toMatchObject({
      text: 'a\nx\nc\n',
      tolerant: ['line endings'],
    });
  });

  test('must be unique, with replace_all as well', () => {
    const edits = [edit('a\nb', 'x', true)];
    expect(() => applyEdits('a \nb\na  \nb\n', edits, tolerant)).toThrow(
      refusedWith({
        reason: 'not_unique',
        matches: 2,
      }),
    );
  });

  test('blanks alone match nothing', () => {
    expect(() => apply('\n\t\n', '  \n', 'x', tolerant)).toThrow(refusedWith({ matches: 0 }));
  });
});
