// Shows the newest commits.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const gitLog: WireTool = {
  name: 'git.log',
  tool: 'git.log',
  input: () => z.strictObject({ limit: z.optional(z.int()), path: z.optional(z.string()) }),
  toCore: (args) => args,
  toWire: ({ commits }) => ({ commits }),
};
