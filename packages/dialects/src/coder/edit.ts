// Replaces a piece of a text file that is named by its content.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { pieceInput } from '../rows/piece-input.ts';

export const edit: WireTool = {
  name: 'edit',
  tool: 'edit_file',
  input: () => z.strictObject({ path: z.string(), ...pieceInput() }),
  toCore: (args) => args,
  toWire: ({ replacements, additions, deletions, diff }, { path }) => ({
    path,
    replacements,
    additions,
    deletions,
    diff,
  }),
};
