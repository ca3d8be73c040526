// Runs a program with its arguments, without a shell. Times are in milliseconds here; a program that ends badly is an error.
import type { Failure } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const executeCommand: WireTool = {
  name: 'execute_command',
  tool: 'execute_command',
  input: () =>
    z.strictObject({
      command: z.string(),
      args: z.optional(z.array(z.string())),
      timeout: z.optional(z.number().check(z.positive())),
      cwd: z.optional(z.string()),
    }),
  toCore: ({ timeout, ...args }) =>
    present({
      ...args,
      timeout_ms: timeout === undefined ? undefined : Math.ceil(Math.min(timeout as number, 1e12)),
    }),
  names: { timeout: 'timeout_ms' },
  toWire: ({ stdout }) => stdout as string,
  metadata: ({ duration_ms, stdout_bytes, stderr_bytes, stderr, output_file, held_back, notes }) =>
    present({
      duration_ms,
      output_size_bytes: stdout_bytes,
      error_size_bytes: stderr_bytes,
      stderr: stderr === '' ? undefined : stderr,
      output_file,
      held_back,
      notes: held_back === undefined ? undefined : notes,
    }),
  ending(data) {
    const error = errorOf(data);
    if (error === undefined) return { exitCode: data.exit_code };
    return { status: data.timed_out === true ? 'timeout' : 'error', error, exitCode: data.exit_code };
  },
};

function errorOf({ exit_code, timed_out, stderr }: Json): Failure | undefined {
  if (timed_out === true) return { code: 'TIMEOUT', message: 'The command took longer than it may.' };
  if (exit_code === 0) return undefined;
  const message = String(stderr).trim() || `The command ended with exit code ${exit_code}.`;
  return { code: 'EXECUTION_FAILED', message, details: { exit_code } };
}
