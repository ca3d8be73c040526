// Changes one cell of a notebook, counted from 0.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { cellInput } from '../rows/cell-input.ts';

export const notebookEdit: WireTool = {
  name: 'notebook_edit',
  tool: 'notebook_edit',
  input: () => z.strictObject({ path: z.string(), ...cellInput() }),
  toCore: (args) => args,
  toWire: ({ cell_number, cell_type, language, edit_mode, diff, structured_patch }, { path }) => ({
    path,
    cell_number,
    cell_type,
    language,
    edit_mode,
    diff,
    structured_patch,
  }),
};
