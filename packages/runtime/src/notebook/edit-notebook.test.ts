import { describe, expect, test } from 'vitest';
import { editNotebook } from './edit-notebook.ts';

const code = (source: string[], extra: Record<string, unknown> = {}) => ({
  cell_type: 'code',
  execution_count: 7,
  ...extra,
  metadata: {},
  outputs: [{ name: 'stdout', output_type: 'stream', text: ['1\n'] }],
  source,
});
const markdown = (source: string[], extra: Record<string, unknown> = {}) => ({
  cell_type: 'markdown',
  ...extra,
  metadata: {},
  source,
});
const notebook = (cells: unknown[], minor = 4, metadata: unknown = {}) =>
  `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: minor }, null, 1)}\n`;
const cellsOf = (text: string) => JSON.parse(text).cells;

describe('replace', () => {
  test('N-06 a code cell loses its outputs and its count, in the layout of the file', () => {
    const source = notebook([markdown(['# Hi']), code(['1\n', '2'])]);
    expect(editNotebook(source, { cell_number: 1, new_source: 'a = "é"\nb' })).toMatchObject({
      text: notebook([
        markdown(['# Hi']),
        { ...code(['a = "é"\n', 'b']), execution_count: null, outputs: [] },
      ]),
      cell_type: 'code',
      language: 'python',
    });
  });

  test('a markdown cell gains nothing', () => {
    const source = notebook([markdown(['old'], { attachments: {} })]);
    const { text, cell_type } = editNotebook(source, { cell_number: 0, new_source: 'new\n' });
    expect(text).toBe(notebook([markdown(['new\n'], { attachments: {} })]));
    expect(cell_type).toBe('markdown');
  });

  test('a source that is one string stays one, an empty one grows, an emptied one is empty', () => {
    const asString = '{"cells":[{"cell_type":"raw","metadata":{},"source":"x"}],"nbformat":4}';
    expect(editNotebook(asString, { cell_number: 0, new_source: 'a\nb' }).text).toBe(
      asString.replace('"x"', '"a\\nb"'),
    );
    const empty = notebook([markdown([])]);
    expect(editNotebook(empty, { cell_number: 0, new_source: 'a\nb' }).text).toBe(
      notebook([markdown(['a\n', 'b'])]),
    );
    expect(editNotebook(notebook([markdown(['a'])]), { cell_number: 0, new_source: '' }).text).toBe(empty);
  });

  test('a change of type takes away and adds what the new type needs', () => {
    const cellFields = { metadata: {}, source: ['x'] };
    const toMarkdown = editNotebook(notebook([code(['x'])]), {
      cell_number: 0,
      new_source: 'x',
      cell_type: 'markdown',
    });
    expect(toMarkdown).toMatchObject({
      text: notebook([{ cell_type: 'markdown', ...cellFields }]),
      cell_type: 'markdown',
    });
    const withFiles = notebook([{ attachments: { 'a.png': {} }, cell_type: 'markdown', ...cellFields }]);
    expect(editNotebook(withFiles, { cell_number: 0, new_source: 'x', cell_type: 'code' }).text).toBe(
      notebook([{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['x'] }]),
    );
  });

  test('keeps the id and reports it', () => {
    const source = notebook([code(['x'], { id: 'my-cell' })], 5);
    const { text, cell_id } = editNotebook(source, { cell_number: 0, new_source: 'y' });
    expect(cell_id).toBe('my-cell');
    expect(cellsOf(text)[0].id).toBe('my-cell');
  });

  test('N-09 and N-10 every other byte stays: numbers, escapes, doubled keys, order, layout, no final newline', () => {
    const head =
      '{ "nbformat" : 4.0,\r\n\t"metadata": {"__proto__": {"a": 1}, "constructor": 1, "toString": 1e400},\n "cells": [';
    const first = '{"source": "\\ud800", "n": 12345678901234567890, "n": 1.0, "cell_type": "raw"}';
    const tail = ' ,\n{"cell_type":"raw","\\u0073ource":[ "x" ]}], "cells2": [] }';
    const old = '{ "metadata":{"__proto__":1} , "source": "1" , "source" :"2", "cell_type": "raw" }';
    const { text } = editNotebook(`${head}${first},${old}${tail}`, { cell_number: 1, new_source: 'ü' });
    expect(text).toBe(`${head}${first},${old.replace('"2"', '"ü"')}${tail}`);
    expect(editNotebook(`${head}${first},${old}${tail}`, { cell_number: 2, new_source: 'a\nb' }).text).toBe(
      `${head}${first},${old}${tail.replace('[ "x" ]', '[ "a\\n","b" ]')}`,
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('insert', () => {
  const cells = [markdown(['a']), code(['b'])];

  test('N-05 below nbformat 4.5 without an id, at any place', () => {
    const added = {
      cell_type: 'code',
      execution_count: null,
      metadata: {},
      outputs: [],
      source: ['x\n', 'y'],
    };
    for (const place of [0, 1, 2]) {
      const edit = {
        cell_number: place,
        new_source: 'x\ny',
        cell_type: 'code',
        edit_mode: 'insert',
      } as const;
      const { text, cell_id } = editNotebook(notebook(cells), edit);
      expect(text).toBe(notebook(cells.toSpliced(place, 0, added)));
      expect(cell_id).toBeUndefined();
    }
  });

  test('N-05 from nbformat 4.5 on with an id of its own, the same each time', () => {
    const edit = { cell_number: 2, new_source: 'x', cell_type: 'markdown', edit_mode: 'insert' } as const;
    const { text, cell_id } = editNotebook(notebook(cells, 5), edit);
    expect(cell_id).toMatch(/^[0-9a-f]{8}$/);
    expect(text).toBe(
      notebook([...cells, { cell_type: 'markdown', id: cell_id, metadata: {}, source: ['x'] }], 5),
    );
    expect(editNotebook(notebook(cells, 5), edit).cell_id).toBe(cell_id);
    const twice = cellsOf(editNotebook(text, edit).text).map((cell: { id?: string }) => cell.id);
    expect(new Set(twice).size).toBe(3);
  });

  test('into a notebook without cells', () => {
    const edit = { cell_number: 0, new_source: 'x', cell_type: 'markdown', edit_mode: 'insert' } as const;
    expect(editNotebook(notebook([]), edit).text).toBe(notebook([markdown(['x'])]));
    expect(editNotebook('{"cells":[],"nbformat":4}', edit).text).toBe(
      '{"cells":[{"cell_type":"markdown","metadata":{},"source":["x"]}],"nbformat":4}',
    );
    expect(editNotebook('{"cells": [ ], "nbformat": 4}', edit).text).toBe(
      '{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["x"]}], "nbformat": 4}',
    );
  });

  test('takes the language of the notebook', () => {
    const edit = { cell_number: 0, new_source: '', cell_type: 'code', edit_mode: 'insert' } as const;
    const language = (metadata: unknown) => editNotebook(notebook([], 4, metadata), edit).language;
    expect(language({ language_info: { name: 'julia' }, kernelspec: { language: 'R' } })).toBe('julia');
    expect(language({ kernelspec: { language: 'R' } })).toBe('R');
    expect(language([])).toBe('python');
  });
});

test('delete takes the cell and its comma, wherever it stands', () => {
  const cells = [markdown(['a'], { id: 'one' }), code(['b']), markdown(['c'])];
  for (const place of [0, 1, 2]) {
    const edit = { cell_number: place, new_source: '', edit_mode: 'delete' } as const;
    expect(editNotebook(notebook(cells), edit).text).toBe(notebook(cells.toSpliced(place, 1)));
  }
  const last = { cell_number: 0, new_source: '', edit_mode: 'delete' } as const;
  expect(editNotebook(notebook(cells.slice(0, 1)), last)).toMatchObject({
    text: notebook([]),
    cell_type: 'markdown',
    cell_id: 'one',
  });
});
