import { describe, expect, test } from 'vitest';
import { applyEdits } from './apply-edits.ts';

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
});
const apply = (text: string, old: string, next: string) => applyEdits(text, [edit(old, next)]);

const refusedWith = (details: Record<string, unknown>) =>
  expect.objectContaining({ code: 'INVALID_ARGUMENTS', details: expect.objectContaining(details) });

describe('line endings', () => {
  test('E-01 LF strings match a CRLF file by content, and new lines get CRLF', () => {
    const applied = apply('a\r\nb\r\nc\r\nd\r\n', 'b\nc\n', 'b\nx\ny\n');
    expect(applied.text).toBe('a\r\nb\r\nx\r\ny\r\nd\r\n');
    expect(applied.tolerant).toEqual(['line endings']);
  });

  test('new lines get CRLF also where only part of a line was named', () => {
    expect(apply('a\r\nb\r\n', 'b', 'b\nc')).toMatchObject({
      text: 'a\r\nb\r\nc\r\n',
      tolerant: ['line endings'],
    });
    expect(apply('a\r\nb', 'b', 'b\nc').text).toBe('a\r\nb\r\nc');
    expect(apply('a\rb\r', 'b', 'b\nc').text).toBe('a\rb\rc\r');
  });

  test('no carriage return is left behind or doubled', () => {
    expect(apply('a\r\nb\r\nc', '\nb', '').text).toBe('a\r\nc');
    expect(apply('a\r\nb\r\nc', '\nb', '\nx\ny').text).toBe('a\r\nx\r\ny\r\nc');
    expect(applyEdits('a\r\nb\r\nc', [edit('\n', '', true)]).text).toBe('abc');
  });

  test('E-02 in a mixed file lines the edit leaves alone keep their ending, new ones take that of the line above', () => {
    const text = 'a\r\nb\nc\r\nd\ne\r\n';
    expect(apply(text, 'b\nc\nd', 'b\nB\nc\nC\nd').text).toBe('a\r\nb\nB\nc\r\nC\r\nd\ne\r\n');
    expect(apply(text, 'a\nb\n', 'new\na\nb\n').text).toBe('new\r\na\r\nb\nc\r\nd\ne\r\n');
  });

  test('content that stands there twice is not unique, whatever its endings', () => {
    expect(() => apply('a\nb\na\r\nb\r\n', 'a\nb', 'x')).toThrow(refusedWith({ matches: 2 }));
    expect(applyEdits('a\nb\na\r\nb\r\n', [edit('a\nb\n', 'x\ny\n', true)]).text).toBe('x\ny\nx\r\ny\r\n');
  });

  test('strings that speak of carriage returns are taken literally', () => {
    expect(apply('a\r\nb\r\n', 'a\r\n', 'a\n')).toMatchObject({ text: 'a\nb\r\n', tolerant: [] });
    expect(apply('a\r\nb\r\n', 'b', 'b\r\nc\n').text).toBe('a\r\nb\r\nc\n\r\n');
    expect(() => applyEdits('a\nb\n', [edit('\r', '', true)])).toThrow(refusedWith({ matches: 0 }));
  });
});
