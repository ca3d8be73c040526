// Runs a shell line, in codelab and agent alike. Times are in seconds here.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { present } from '../write/present.ts';
import { toMs } from './to-ms.ts';

export function runCommand(paths: PathSpelling): WireTool {
  return {
    name: 'run_command',
    tool: 'run_command',
    input: () =>
      z.strictObject({
        command: z.string(),
        cwd: z.optional(z.string()),
        timeout: z.optional(z.number().check(z.positive())),
        env: z.optional(z.record(z.string(), z.string())),
        network: z.optional(z.boolean()),
      }),
    toCore: ({ cwd, timeout, ...args }) =>
      present({
        ...args,
        cwd: typeof cwd === 'string' ? paths.toCore(cwd) : undefined,
        timeout_ms: toMs(timeout),
      }),
    toWire: commandResult,
  };
}

function commandResult(data: Json): Json {
  const { stdout, stderr, exit_code, duration_ms, timed_out, truncated, output_file, held_back, notes } =
    data;
  return {
    stdout,
    stderr,
    exit_code,
    duration_ms,
    timed_out,
    truncated,
    ...present({ output_file, held_back, notes }),
  };
}
