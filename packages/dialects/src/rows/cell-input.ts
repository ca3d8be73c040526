// Which cell of a notebook, and what becomes of it.
import * as z from 'zod/mini';

type Cell = {
  cell_number: z.ZodMiniNumberFormat;
  new_source: z.ZodMiniString;
  cell_type: z.ZodMiniOptional<z.ZodMiniString>;
  edit_mode: z.ZodMiniOptional<z.ZodMiniString>;
};

export function cellInput(): Cell {
  return {
    cell_number: z.int(),
    new_source: z.string(),
    cell_type: z.optional(z.string()),
    edit_mode: z.optional(z.string()),
  };
}
