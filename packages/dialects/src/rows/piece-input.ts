// What is replaced, by what, and whether everywhere.
import * as z from 'zod/mini';

type Piece = {
  old_string: z.ZodMiniString;
  new_string: z.ZodMiniString;
  replace_all: z.ZodMiniOptional<z.ZodMiniBoolean>;
};

export function pieceInput(): Piece {
  return { old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean()) };
}
