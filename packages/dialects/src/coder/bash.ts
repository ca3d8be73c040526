// Runs a shell line in the workspace's root. `/bin/sh -c`: a login shell would run the user's profile, which nobody has judged.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const bash: WireTool = {
  name: 'bash',
  tool: 'run_command',
  input: () => z.strictObject({ command: z.string() }),
  toCore: (args) => args,
  toWire: ({ exit_code, stdout, stderr, truncated, duration_ms, held_back, notes }, { command }) => ({
    ...(exit_code === 0 ? {} : { ok: false }),
    command,
    exit_code,
    stdout,
    stderr,
    truncated,
    duration_ms,
    // Notes about undo are no part of this wire; that something is gone is told.
    ...(held_back === undefined ? {} : { held_back, notes }),
  }),
};
