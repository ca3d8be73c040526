import { ToolError } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { editNotebook, type NotebookEdit } from './edit-notebook.ts';

describe('refusals', () => {
  const two = '{"cells":[{"cell_type":"raw"},{"cell_type":"raw"}],"nbformat":4}\n';
  const refused: [string, string, NotebookEdit, string][] = [
    ['INVALID_ARGUMENTS', 'Cell number must be non-negative.', { cell_number: -1, new_source: '' }, '{'],
    ['INVALID_ARGUMENTS', 'Cell number must be a whole number.', { cell_number: 0.5, new_source: '' }, two],
    [
      'INVALID_ARGUMENTS',
      'Edit mode must be replace, insert, or delete.',
      { cell_number: 0, new_source: '', edit_mode: 'move' as 'delete' },
      '{',
    ],
    [
      'INVALID_ARGUMENTS',
      'Cell type is required when using edit_mode=insert.',
      { cell_number: 99, new_source: '', edit_mode: 'insert' },
      '{',
    ],
    [
      'EXECUTION_FAILED',
      'Notebook is not valid JSON.',
      { cell_number: 99, new_source: '' },
      two.slice(0, -4),
    ],
    [
      'INVALID_ARGUMENTS',
      'Cell number is out of bounds. Notebook has 2 cells.',
      { cell_number: 2, new_source: '' },
      two,
    ],
    [
      'INVALID_ARGUMENTS',
      'Cell number is out of bounds. For insert mode, the maximum value is 2 (to append at the end).',
      { cell_number: 3, new_source: '', cell_type: 'code', edit_mode: 'insert' },
      two,
    ],
    [
      'INVALID_ARGUMENTS',
      'Cell type must be code, markdown, or raw.',
      { cell_number: 0, new_source: '', cell_type: 'heading' as 'raw' },
      two,
    ],
  ];
  for (const [code, message, edit, source] of refused) {
    test(message, () => expect(refusal(source, edit)).toEqual({ code, message }));
  }

  test('N-02 and N-08 files that are not nbformat 4 notebooks', () => {
    const messages = [
      '[1]',
      '"x"',
      '{}',
      '{"cells":{}}',
      '{"nbformat":3,"worksheets":[]}',
      '{"worksheets":[]}',
      '{"nbformat":5,"cells":[]}',
      '{"cells":[1]}',
      '{"cells":[{"cell_type":"heading"}]}',
    ].map((source) => refusal(source, { cell_number: 0, new_source: '' }));
    expect(messages.map(({ code }) => code)).toEqual(messages.map(() => 'EXECUTION_FAILED'));
    expect(messages.map(({ message }) => message.slice(0, 45))).toEqual([
      'Notebook is not valid: its top level is not a',
      'Notebook is not valid: its top level is not a',
      'Notebook is not valid: it has no cells.',
      'Notebook is not valid: `cells` is not an arra',
      'Notebook has nbformat 3; only nbformat 4 can ',
      'Notebook has nbformat 3; only nbformat 4 can ',
      'Notebook has nbformat 5; only nbformat 4 can ',
      'Notebook is not valid: cell 0 is not a code, ',
      'Notebook is not valid: cell 0 is not a code, ',
    ]);
  });

  test('N-01 500,000 levels are refused at once', () => {
    const deep = `{"nbformat":4,"cells":[${'['.repeat(500_000)}${']'.repeat(500_000)}]}`;
    const started = performance.now();
    expect(refusal(deep, { cell_number: 0, new_source: '' }).message).toBe(
      'Notebook is nested deeper than 1000 levels.',
    );
    expect(performance.now() - started).toBeLessThan(200);
  });
});

function refusal(source: string, edit: NotebookEdit): { code: string; message: string } {
  try {
    editNotebook(source, edit);
  } catch (error) {
    if (error instanceof ToolError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}
