// Lists skills or loads one, in codelab and coder alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const skill: WireTool = {
  name: 'skill',
  tool: 'skill',
  input: () => z.strictObject({ action: z.string(), name: z.optional(z.string()) }),
  toCore: (args) => args,
  toWire: ({ items, count, problems, name, description, content, files }) =>
    present({ items, count, problems, name, description, content, files }),
};
