import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFrontMatter } from './front-matter.ts';

function values(head: string): Record<string, unknown> {
  const { fields } = readFrontMatter(`---\n${head}\n---\nBody`, 'x.md');
  return Object.fromEntries([...fields].map(([key, { value }]) => [key, value]));
}

describe('the head of a Markdown file', () => {
  test('holds texts, numbers, truths and lists, with comments and either line ending', () => {
    const head = [
      '# a comment',
      'name: plan   # what it is called',
      'plain: it has: a colon and a #hash',
      "single: 'it''s # here'",
      'double: "a\\n\\"b\\""',
      'steps: 30',
      'share: -0.5',
      'on: true',
      'inline: [a, "b, c", \'d\', {e,f}.md]  # list',
      'empty: []',
      'block:',
      '  - read_file # first',
      '',
      '  - "-undo"',
      'flat:',
      '- x',
      'nothing:',
      'folded: >-',
      '  one',
      '  two',
      'kept: |',
      '  one',
      '  two',
      'longer: it goes',
      '  on here',
      'metadata:',
      '  author: me',
    ];
    const expected = {
      name: 'plan',
      plain: 'it has: a colon and a #hash'.replace(/ #.*/, ''),
      single: "it's # here",
      double: 'a\n"b"',
      steps: 30,
      share: -0.5,
      on: true,
      inline: ['a', 'b, c', 'd', '{e,f}.md'],
      empty: [],
      block: ['read_file', '-undo'],
      flat: ['x'],
      nothing: '',
      folded: 'one two',
      kept: 'one\ntwo',
      longer: 'it goes on here',
      metadata: 'author: me',
    };
    expect(values(head.join('\n'))).toEqual(expected);
    expect(values(head.join('\r\n'))).toEqual(expected);
  });

  test('ends at its second fence; the rest is the body', () => {
    const { fields, body } = readFrontMatter('---\na: 1\n---\n\nText\n---\nmore\n', 'x.md');
    expect([fields.size, body]).toEqual([1, 'Text\n---\nmore']);
  });

  test.each([
    ['no head', 'Hello', 'x.md:1 must begin with a line `---`'],
    ['no end', '---\na: 1\n', 'x.md:1 has no line `---` that ends the settings'],
    ['no key', '---\na: 1\nwhat\n---\n', 'x.md:3 is not `key: value`'],
    ['a key twice', '---\na: 1\na: 2\n---\n', 'x.md:3 says `a` twice'],
    ['an open quote', '---\na: "b\n---\n', 'x.md:2 has a quotation mark that is not closed'],
    ['an open list', '---\n\na: [b\n---\n', 'x.md:3 has a list without its closing `]`'],
    ['an unknown escape', '---\na:\n  - b\n  - "\\q"\n---\n', 'x.md:4 has an escape'],
  ])('with %s is refused by file and line', (_what, text, message) => {
    expect(() => readFrontMatter(text, 'x.md')).toThrow(message);
  });

  test('any text comes back from double quotes as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const quoted = JSON.stringify(text);
        // JSON leaves some line separators unescaped; such a value does not fit on one line.
        fc.pre(!/[\r\n]/.test(quoted));
        expect(values(`a: ${quoted}\nb: [${quoted}]`)).toEqual({ a: text, b: [text] });
      }),
    );
  });

  test.each([`a: b${' '.repeat(100_000)}c`, `a:${' '.repeat(100_000)}\u2028`, `a: [${'] '.repeat(50_000)}`])(
    'a line made to be slow is read or refused in time: %#',
    { timeout: 5000 },
    (line) => {
      try {
        values(line);
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_FORMAT' });
      }
    },
  );

  test('whatever is in it, it is read or refused, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:-# \n"\'[]{},|>\\') }), (head) => {
        try {
          values(head);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_FORMAT' });
        }
      }),
      { numRuns: 500 },
    );
  });
});
