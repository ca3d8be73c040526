import { ToolError } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { applyEdits, type EditOptions } from './apply-edits.ts';

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
});
const apply = (text: string, old: string, next: string, options: EditOptions = {}) =>
  applyEdits(text, [edit(old, next)], options);

describe('applyEdits', () => {
  test('replaces the one place and says where it was', () => {
    expect(apply('# Configuration\nDEBUG = False\nPORT = 8000\n', 'DEBUG = False', 'DEBUG = True')).toEqual({
      text: '# Configuration\nDEBUG = True\nPORT = 8000\n',
      spans: [{ start: 16, end: 29, replacement: 'DEBUG = True' }],
      replacements: 1,
      occurrences: [1],
      tolerant: [],
    });
  });

  test('E-12 takes $ and the characters of patterns literally', () => {
    expect(apply('a.b [x] $1\n', '[x] $1', "$& $' $$ (.*)").text).toBe("a.b $& $' $$ (.*)\n");
    expect(applyEdits('axb a.b', [edit('a.b', '$&$&', true)]).text).toBe('axb $&$&');
  });

  test('E-14 makes each edit in the result of the one before', () => {
    const applied = applyEdits('one two', [
      edit('one', 'two three'),
      edit('two three', '3'),
      edit('3 two', '5'),
    ]);
    expect(applied).toEqual({
      text: '5',
      spans: [{ start: 0, end: 7, replacement: '5' }],
      replacements: 3,
      occurrences: [1, 1, 1],
      tolerant: [],
    });
  });

  test('replace_all replaces what stood there before, not what it wrote', () => {
    const applied = applyEdits('a-a-b', [edit('a', 'aa', true)]);
    expect(applied.text).toBe('aa-aa-b');
    expect(applied.occurrences).toEqual([2]);
    expect(applied.spans).toEqual([
      { start: 0, end: 1, replacement: 'aa' },
      { start: 2, end: 3, replacement: 'aa' },
    ]);
  });

  test('Kode’s rule: replacing by nothing takes the newline too, if asked', () => {
    expect(apply('a\nb\nc\n', 'b', '').text).toBe('a\n\nc\n');
    expect(apply('a\nb\nc\n', 'b', '', { eatNewline: true }).text).toBe('a\nc\n');
    expect(apply('a\r\nb\r\nc', 'b', '', { eatNewline: true }).text).toBe('a\r\nc');
    expect(apply('a\nb\nc\n', 'b\n', '', { eatNewline: true }).text).toBe('a\nc\n');
    expect(apply('a\nb', 'b', '', { eatNewline: true }).text).toBe('a\n');
    const all = [edit('\na', '', true)];
    expect(applyEdits('x\na\na\nb', all, { eatNewline: true }).text).toBe('xb');
  });

  test('a new file begins with an edit that has an empty old_string', () => {
    expect(applyEdits('', [edit('', 'a\nb\n'), edit('b', 'c')], { isNewFile: true })).toEqual({
      text: 'a\nc\n',
      spans: [{ start: 0, end: 0, replacement: 'a\nc\n' }],
      replacements: 2,
      occurrences: [1, 1],
      tolerant: [],
    });
  });
});

describe('refusals', () => {
  test('E-09 equal strings and an empty old_string', () => {
    expect(refusal(() => apply('a', 'a', 'a'))).toEqual({
      code: 'INVALID_ARGUMENTS',
      message: 'No changes to make: old_string and new_string are exactly the same.',
      details: { edit: 1, matches: 0, reason: 'same' },
    });
    expect(refusal(() => apply('a', '', 'b'))).toEqual({
      code: 'INVALID_ARGUMENTS',
      message: 'Cannot create new file - file already exists.',
      details: { edit: 1, matches: 0, reason: 'empty' },
    });
    const second = [edit('', 'a'), edit('', 'b')];
    expect(refusal(() => applyEdits('', second, { isNewFile: true })).details).toEqual({
      edit: 2,
      matches: 0,
      reason: 'empty',
    });
  });

  test('E-10 no place at all, with replace_all as well', () => {
    for (const replaceAll of [false, true]) {
      expect(refusal(() => applyEdits('a\n', [edit('xyz', 'b', replaceAll)]))).toEqual({
        code: 'INVALID_ARGUMENTS',
        message:
          'String to replace not found in file.\nNothing in the file is similar to it. Read the file, and copy the text to replace from it.',
        details: { edit: 1, matches: 0, reason: 'not_found', nearest: null },
      });
    }
  });

  test('E-10 several places are refused with their count and lines', () => {
    expect(refusal(() => apply('ab\nx ab\n\nab', 'ab', 'c'))).toEqual({
      code: 'INVALID_ARGUMENTS',
      message:
        'Found 3 matches of the string to replace. Add surrounding lines to old_string until it matches one place only, or set replace_all to change them all.\nThe matches start in lines 1, 2, 4.',
      details: { edit: 1, matches: 3, reason: 'not_unique', lines: [1, 2, 4] },
    });
  });

  test('places that overlap are several places', () => {
    expect(refusal(() => apply('}\n}\n}\n', '}\n}', '}')).details).toMatchObject({ matches: 2 });
  });

  test('E-13 names the edit that failed', () => {
    const edits = [edit('a', 'b'), edit('x', 'y'), edit('b', 'c')];
    const { message, details } = refusal(() => applyEdits('a', edits));
    expect(message).toMatch(
      /^String to replace not found in file\. \(Edit 2 of 3; none of them was made\.\)\n/,
    );
    expect(details).toMatchObject({ edit: 2, reason: 'not_found' });
  });

  test('a miss shows the nearest text and what differs', () => {
    const text = 'def f():\n\treturn 1\n\ndef g():\n\treturn 2\n';
    const { message, details } = refusal(() => apply(text, 'def g():\n    return 2\n', 'x'));
    expect(message).toBe(
      'String to replace not found in file.\nThe nearest text is in lines 4 to 5:\n4 | def g():\n5 | \treturn 2\nLine 5, column 1: expected ⟨4 blanks⟩, found ⟨tab⟩\nCopy old_string exactly as the file has it.',
    );
    expect(details?.nearest).toEqual({
      startLine: 4,
      endLine: 5,
      text: 'def g():\n\treturn 2\n',
      differences: [{ line: 5, column: 1, expected: '⟨4 blanks⟩', found: '⟨tab⟩' }],
    });
  });
});

test('many edits in many places cost their sum, not their product', () => {
  const text = 'x = 1;\n'.repeat(20_000);
  const edits = Array.from({ length: 40 }, (_, i) => edit(`= ${i + 1};`, `= ${i + 2};`, true));
  const before = process.cpuUsage();
  const applied = applyEdits(text, edits);
  expect(applied.spans).toHaveLength(20_000);
  expect(applied.replacements).toBe(800_000);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(4_000);
});

test('E-22 one long line and long repetitive strings are answered in time', () => {
  const line = 'a'.repeat(900_000);
  const half = 'a'.repeat(400_000);
  const before = process.cpuUsage();
  expect(refusal(() => apply(line, `${half}b${half}`, 'x')).details).toMatchObject({ matches: 0 });
  expect(refusal(() => apply(line, half, 'x')).details).toMatchObject({ matches: 500_001 });
  expect(applyEdits(`\r\n${line}`, [edit('a', 'b\n', true)]).replacements).toBe(900_000);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(4_000);
});

function refusal(run: () => unknown): {
  code: string;
  message: string;
  details: Record<string, unknown> | undefined;
} {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError)
      return { code: error.code, message: error.message, details: error.details };
    throw error;
  }
  throw new Error('nothing was refused');
}
