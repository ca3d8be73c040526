// Ends a long-running process; the signal is null when it had ended by itself.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const killProcess: WireTool = {
  name: 'kill_process',
  tool: 'kill_process',
  input: () => z.strictObject({ process_id: z.string(), signal: z.optional(z.string()) }),
  toCore: (args) => args,
  toWire: ({ process_id, killed, exit_code, signal, held_back, notes }) => ({
    process_id,
    killed,
    exit_code,
    signal,
    ...present({ held_back, notes }),
  }),
};
