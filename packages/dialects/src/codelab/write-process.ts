// Writes to a long-running process.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const writeProcess: WireTool = {
  name: 'write_process',
  tool: 'write_process',
  input: () => z.strictObject({ process_id: z.string(), input: z.string() }),
  toCore: (args) => args,
  toWire: ({ process_id, bytes }) => ({ process_id, bytes }),
};
