// Starts a long-running process under an id. Times are in seconds here.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { toMs } from '../rows/to-ms.ts';
import { present } from '../write/present.ts';

export const runPersistent: WireTool = {
  name: 'run_persistent',
  tool: 'run_persistent',
  input: () =>
    z.strictObject({
      command: z.string(),
      process_id: z.string(),
      cwd: z.optional(z.string()),
      env: z.optional(z.record(z.string(), z.string())),
      network: z.optional(z.boolean()),
      ready_pattern: z.optional(z.string()),
      ready_port: z.optional(z.int()),
      ready_timeout: z.optional(z.number().check(z.positive())),
      pty: z.optional(z.boolean()),
    }),
  toCore: ({ ready_timeout, ...args }) => present({ ...args, ready_timeout_ms: toMs(ready_timeout) }),
  toWire: ({ process_id, pid, status, ready }) => ({ process_id, pid, status, ready }),
};
