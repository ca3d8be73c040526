import { ToolError } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, type EditOptions } from './apply-edits.ts';
import { applySpans } from './spans.ts';
import type { StringEdit } from './tolerant-match.ts';

describe('laws', () => {
  const word = fc.constantFrom('a', 'b', 'ab', ' ', '“', '"');
  const mixed = fc
    .array(fc.oneof(word, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 40 })
    .map((p) => p.join(''));
  const plainText = fc
    .array(fc.oneof(word, fc.constant('\n')), { maxLength: 40 })
    .map((parts) => parts.join(''));
  const short = fc.array(fc.oneof(word, fc.constant('\n')), { maxLength: 4 }).map((parts) => parts.join(''));
  const outcome = (text: string, list: readonly StringEdit[], options?: EditOptions) => {
    try {
      return applyEdits(text, list, options);
    } catch (error) {
      if (error instanceof ToolError) return null;
      throw error;
    }
  };

  test('the spans lead from the text before to the text after', () => {
    const pieces = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 5 }), short), { maxLength: 4 });
    let applied = 0;
    fc.assert(
      fc.property(mixed, pieces, fc.boolean(), fc.boolean(), (text, list, tolerant, eatNewline) => {
        const edits = list.map(([at, length, new_string]) => ({
          old_string: text.slice(at, at + length).replaceAll(/\r\n?/g, '\n'),
          new_string,
          replace_all: !tolerant,
        }));
        const result = outcome(text, edits, { tolerant, eatNewline });
        if (result === null) return;
        applied++;
        expect(applySpans(text, result.spans)).toBe(result.text);
      }),
      { numRuns: 3_000 },
    );
    expect(applied).toBeGreaterThan(500);
  });

  test('without carriage returns it does what cutting and joining does', () => {
    fc.assert(
      fc.property(plainText, short, short, (text, old_string, new_string) => {
        const applied = outcome(text, [{ old_string, new_string, replace_all: true }]);
        fc.pre(applied !== null);
        expect(applied.text).toBe(text.split(old_string).join(new_string));
        expect(applied.replacements).toBe(text.split(old_string).length - 1);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a file of CRLF lines becomes what the same file of LF lines becomes', () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    fc.assert(
      fc.property(plainText, short, short, fc.boolean(), (text, old_string, new_string, replace_all) => {
        // A file without any line ending takes the line endings of the edit.
        fc.pre(text.includes('\n'));
        const list = [{ old_string, new_string, replace_all }];
        const [unix, dos] = [outcome(text, list), outcome(crlf(text), list)];
        expect(dos?.text).toBe(unix === null ? undefined : crlf(unix.text));
        expect(dos?.replacements).toBe(unix?.replacements);
      }),
      { numRuns: 2_000 },
    );
  });
});
