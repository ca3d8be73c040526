// Asks the human, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const promptUser: WireTool = {
  name: 'prompt_user',
  tool: 'prompt_user',
  input: () => z.strictObject({ message: z.string(), actions: z.array(z.string()) }),
  toCore: (args) => args,
  toWire: (data) => ({ action: data.action }),
};
