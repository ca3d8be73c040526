import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editNotebook, type NotebookEdit } from './edit-notebook.ts';
import { openNotebook } from './open-notebook.ts';

type Json = Record<string, unknown>;

const text = fc.string({
  unit: fc.constantFrom('a', 'é', '"', '\\', '\n', '\r\n', '\t', '😀', '\u2028'),
  maxLength: 12,
});
const lines = text.map((value) => value.split(/(?<=\n)/).filter((line) => line !== ''));
const source = fc.oneof(text, lines);
const metadata = fc.dictionary(fc.constantFrom('__proto__', 'tags', 'a b'), fc.oneof(text, fc.integer()), {
  maxKeys: 2,
});
const output = fc.record({ output_type: fc.constant('stream'), name: fc.constant('stdout'), text: source });
const cell = fc.oneof(
  fc.record({ cell_type: fc.constantFrom('markdown', 'raw'), metadata, source }),
  fc.record({ cell_type: fc.constant('markdown'), attachments: fc.constant({}), metadata, source }),
  fc.record({
    cell_type: fc.constant('code'),
    execution_count: fc.option(fc.nat(99)),
    metadata,
    outputs: fc.array(output, { maxLength: 2 }),
    source,
  }),
);
const layouts: ((value: unknown) => string)[] = [
  (value) => `${JSON.stringify(value, null, 1)}\n`,
  (value) => JSON.stringify(value, null, 4),
  (value) => JSON.stringify(value, null, '\t'),
  (value) => JSON.stringify(value),
  (value) => `${JSON.stringify(value, null, 2).replaceAll('\n', '\r\n')}\r\n`,
];
const notebooks = fc
  .tuple(fc.array(cell, { maxLength: 4 }), fc.constantFrom(0, 4, 5), fc.constantFrom(...layouts))
  .map(([cells, minor, write]) => ({
    write,
    value: {
      cells: minor < 5 ? cells : cells.map((cell, index) => ({ id: `id-${index}`, ...cell })),
      metadata: { kernelspec: { display_name: 'x', name: 'x' } },
      nbformat: 4,
      nbformat_minor: minor,
    },
  }));
const edits = fc.record({
  cell_number: fc.nat(4),
  new_source: text,
  cell_type: fc.constantFrom('code', 'markdown', 'raw', undefined),
  edit_mode: fc.constantFrom('replace', 'insert', 'delete'),
}) as fc.Arbitrary<NotebookEdit>;

test('a valid notebook stays valid, holds what was asked for, and no byte outside the cell changes', () => {
  let applied = 0;
  fc.assert(
    fc.property(notebooks, edits, ({ value, write }, edit) => {
      const count = value.cells.length;
      const isInsert = edit.edit_mode === 'insert';
      if (edit.cell_number >= count + (isInsert ? 1 : 0) || (isInsert && edit.cell_type === undefined))
        return;
      applied++;
      const before = write(value);
      const edited = editNotebook(before, edit);
      const after = JSON.parse(edited.text) as typeof value;
      expectValid(after);
      expectOthersKept(before, edited.text, edit);
      if (edit.edit_mode === 'delete') {
        expect(after.cells).toEqual(value.cells.toSpliced(edit.cell_number, 1));
        return;
      }
      const touched = after.cells[edit.cell_number] as Json;
      expect([touched.source].flat().join('')).toBe(edit.new_source);
      expect(touched.cell_type).toBe(edited.cell_type);
      expect(touched.id).toBe(edited.cell_id);
      if (touched.cell_type === 'code')
        expect([touched.outputs, touched.execution_count]).toEqual([[], null]);
    }),
    { numRuns: 3_000 },
  );
  expect(applied).toBeGreaterThan(800);
});

test('a file laid out evenly stays so', () => {
  fc.assert(
    fc.property(notebooks, edits, ({ value, write }, edit) => {
      const isInsert = edit.edit_mode === 'insert';
      if (edit.cell_number >= value.cells.length + (isInsert ? 1 : 0) || (isInsert && !edit.cell_type))
        return;
      const { text: after } = editNotebook(write(value), edit);
      // `__proto__` is an ordinary key to JSON.parse, so writing the parsed value again loses nothing.
      expect(after).toBe(write(JSON.parse(after)));
    }),
    { numRuns: 1_000 },
  );
});

test('replacing a cell of a one-megabyte notebook takes milliseconds', () => {
  const cells = Array.from({ length: 400 }, (_, i) => ({
    cell_type: 'code',
    execution_count: i,
    id: `cell-${i}`,
    metadata: {},
    outputs: [{ data: { 'image/png': 'A'.repeat(2_000) }, output_type: 'display_data', metadata: {} }],
    source: Array.from({ length: 10 }, (_, row) => `value_${row} = ${i}\n`),
  }));
  const before = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1);
  const started = performance.now();
  editNotebook(before, { cell_number: 200, new_source: 'x' });
  expect(performance.now() - started).toBeLessThan(500);
});

function expectOthersKept(before: string, after: string, { cell_number, edit_mode }: NotebookEdit): void {
  const oldCells = openNotebook(before).cells.elements.map(({ start, end }) => before.slice(start, end));
  const newCells = openNotebook(after).cells.elements.map(({ start, end }) => after.slice(start, end));
  if (edit_mode !== 'insert') oldCells.splice(cell_number, 1);
  if (edit_mode !== 'delete') newCells.splice(cell_number, 1);
  expect(newCells).toEqual(oldCells);
  const frame = (source: string) => {
    const { open, close } = openNotebook(source).cells;
    return [source.slice(0, open), source.slice(close)];
  };
  expect(frame(after)).toEqual(frame(before));
}

/** The rules of the nbformat 4 schema for cells, written by hand. */
function expectValid(notebook: { cells: Json[]; nbformat_minor: number }): void {
  const hasIds = notebook.nbformat_minor >= 5;
  const ids = notebook.cells.map(({ id }) => id);
  for (const cell of notebook.cells) {
    const isCode = cell.cell_type === 'code';
    const required = [
      'cell_type',
      'metadata',
      'source',
      ...(isCode ? ['execution_count', 'outputs'] : []),
      ...(hasIds ? ['id'] : []),
    ];
    const allowed = [...required, ...(isCode ? [] : ['attachments'])];
    expect(Object.keys(cell).filter((key) => !allowed.includes(key))).toEqual([]);
    expect(required.filter((key) => !(key in cell))).toEqual([]);
    expect(['code', 'markdown', 'raw']).toContain(cell.cell_type);
    expect(typeof cell.source === 'string' || Array.isArray(cell.source)).toBe(true);
    if (isCode) {
      expect(Array.isArray(cell.outputs)).toBe(true);
      expect(cell.execution_count === null || Number.isInteger(cell.execution_count)).toBe(true);
    }
    if (hasIds) expect(cell.id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  }
  if (hasIds) expect(new Set(ids).size).toBe(ids.length);
}
