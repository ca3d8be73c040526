import { describe, expect, test } from 'vitest';
import { letterOf } from '../answering.ts';
import { touchLines } from '../plan/plan-facts.ts';
import { fieldsOf, readArgFields } from './edit-args.ts';

const schema = {
  type: 'object',
  required: ['path', 'content'],
  properties: {
    path: { type: 'string', description: 'Where' },
    content: { type: 'string' },
    limit: { type: 'integer' },
    force: { type: 'boolean' },
    mode: { enum: ['keep', 'exact'] },
    globs: { type: 'array', items: { type: 'string' } },
    edits: { type: 'array', items: { type: 'object' } },
  },
};

describe('the form of a call', () => {
  const args = {
    path: 'a.txt',
    content: 'one\ntwo\n',
    globs: ['*.ts', '*.js'],
    edits: [{ a: 1 }],
    extra: null,
  };
  const fields = fieldsOf(schema, args);

  test('has a field of the right kind for each argument, known or not', () => {
    expect(Object.fromEntries(fields.map(({ name, kind }) => [name, kind]))).toEqual({
      path: 'text',
      content: 'lines',
      limit: 'number',
      force: 'switch',
      mode: 'choice',
      globs: 'list',
      edits: 'json',
      extra: 'json',
    });
    expect(fields[0]).toMatchObject({ isRequired: true, hint: 'Where' });
  });

  test('untouched, it is the call as it was', () => {
    expect(readArgFields(fields, {}, args)).toEqual({ args, problems: {} });
    // Without a schema everything given is still there.
    expect(readArgFields(fieldsOf(undefined, args), {}, args)).toEqual({ args, problems: {} });
  });

  test('reads what was typed', () => {
    const texts = { content: 'x', limit: '5', force: 'true', mode: 'exact', globs: 'a\nb c', edits: '[]' };
    expect(readArgFields(fields, texts, args)).toEqual({
      args: { ...args, content: 'x', limit: 5, force: true, mode: 'exact', globs: ['a', 'b c'], edits: [] },
      problems: {},
    });
    expect(readArgFields(fields, { globs: '' }, args).args).not.toHaveProperty('globs');
    expect(Object.keys(readArgFields(fields, { limit: 'many', edits: '[' }, args).problems)).toEqual([
      'limit',
      'edits',
    ]);
  });

  test('line ends survive a field that knows only line feeds', () => {
    const crlf = { path: 'a', content: 'one\r\ntwo\r\n' };
    const [, content] = fieldsOf(schema, crlf);
    expect(content?.text).toBe('one\ntwo\n');
    expect(readArgFields(fieldsOf(schema, crlf), { content: 'one\nTWO\n' }, crlf).args.content).toBe(
      'one\r\nTWO\r\n',
    );
    // Mixed ends are shown escaped.
    expect(fieldsOf(schema, { content: 'a\r\nb\n' }).find(({ name }) => name === 'content')?.kind).toBe(
      'json',
    );
  });
});

test('keys decide only without a modifier, once, and in every alphabet', () => {
  const press = {
    key: 'a',
    code: 'KeyA',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
  };
  expect(letterOf(press)).toBe('a');
  expect(letterOf({ ...press, key: 'ф' })).toBe('a');
  expect(letterOf({ ...press, repeat: true })).toBeUndefined();
  expect(letterOf({ ...press, ctrlKey: true })).toBeUndefined();
  expect(letterOf({ ...press, key: '!', code: 'Slash' })).toBeUndefined();
});

test('places that go with their folder are counted', () => {
  const touch = (path: string, asked = path) => ({ path, asked, access: 'delete' as const });
  const lines = touchLines([touch('dir'), touch('dir/a'), touch('dir/b'), touch('dir/c', 'link')]);
  expect(lines.map(({ touch: { path }, below }) => [path, below])).toEqual([
    ['dir', 2],
    ['dir/c', 0],
  ]);
});
