// Reads what a long-running process printed; its exit code is null while it runs.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const readProcess: WireTool = {
  name: 'read_process',
  tool: 'read_process',
  input: () =>
    z.strictObject({
      process_id: z.string(),
      cursor: z.optional(z.int()),
      max_bytes: z.optional(z.int()),
    }),
  toCore: (args) => args,
  toWire: ({ process_id, status, exit_code, output, cursor, dropped, held_back, notes }) => ({
    process_id,
    status,
    exit_code,
    output,
    cursor,
    dropped,
    ...present({ held_back, notes }),
  }),
};
