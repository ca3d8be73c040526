// The tools of seed 000 for commands and supervised processes. Times are in seconds.
import { ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { coreArguments } from '../shared/spelling.ts';
import { bytesOf, present, toMs, whole } from '../shared/values.ts';

export const runCommandRow: WireTool = {
  name: 'run_command',
  tool: 'run_command',
  input: () =>
    z.strictObject({
      command: z.string(),
      cwd: z.optional(z.string()),
      timeout: z.optional(z.number().check(z.positive())),
      env: z.optional(z.record(z.string(), z.string())),
      network: z.optional(z.boolean()),
      sandbox: z.optional(z.enum(['auto', 'off'])),
    }),
  reshape: inSeconds,
  toCore: ({ timeout, ...args }, { paths }) =>
    present({ ...coreArguments(args, paths), timeout_ms: toMs(seconds(timeout)) }),
  toWire: commandResult,
  fromWire: commandFromWire,
};

function inSeconds({ timeout_ms, ...args }: Json): Json {
  const ms = Number(timeout_ms);
  if (timeout_ms === undefined || args.timeout !== undefined || !(ms > 0))
    return present({ ...args, timeout_ms });
  return { ...args, timeout: ms / 1000 };
}

const mostSeconds = 3600;

/** Most harnesses count milliseconds, and nobody wants 120,000 seconds. */
function seconds(timeout: unknown): unknown {
  if (typeof timeout !== 'number' || timeout <= mostSeconds) return timeout;
  const hours = Math.round(timeout / 3600);
  const hint = timeout / 1000 <= mostSeconds ? ` For ${timeout} milliseconds send ${timeout / 1000}.` : '';
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `run_command: \`timeout\` is in seconds; ${timeout} would be ${hours} ${hours === 1 ? 'hour' : 'hours'}.${hint}`,
    { field: 'timeout' },
  );
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

function commandFromWire(wireResult: Json): Json {
  const { stdout = '', stderr = '' } = wireResult;
  return {
    ...wireResult,
    stdout,
    stderr,
    duration_ms: whole(wireResult.duration_ms) ?? 0,
    timed_out: wireResult.timed_out ?? false,
    truncated: wireResult.truncated ?? false,
    stdout_bytes: whole(wireResult.stdout_bytes) ?? bytesOf(stdout),
    stderr_bytes: whole(wireResult.stderr_bytes) ?? bytesOf(stderr),
  };
}

const runPersistent: WireTool = {
  name: 'run_persistent',
  tool: 'run_persistent',
  input: () =>
    z.strictObject({
      command: z.string(),
      process_id: z.string(),
      cwd: z.optional(z.string()),
      env: z.optional(z.record(z.string(), z.string())),
      network: z.optional(z.boolean()),
      sandbox: z.optional(z.enum(['auto', 'off'])),
      ready_pattern: z.optional(z.string()),
      ready_port: z.optional(z.int()),
      ready_timeout: z.optional(z.number().check(z.positive())),
      pty: z.optional(z.boolean()),
    }),
  toCore: ({ ready_timeout, ...args }, { paths }) =>
    present({ ...coreArguments(args, paths), ready_timeout_ms: toMs(ready_timeout) }),
  toWire: ({ process_id, pid, status, ready, notes }) => present({ process_id, pid, status, ready, notes }),
};

/** The exit code is null while the process runs. */
const readProcess: WireTool = {
  name: 'read_process',
  tool: 'read_process',
  input: () =>
    z.strictObject({ process_id: z.string(), cursor: z.optional(z.int()), max_bytes: z.optional(z.int()) }),
  toCore: (args) => args,
  toWire: ({ process_id, status, exit_code, output, cursor, dropped }) => ({
    process_id,
    status,
    exit_code,
    output,
    cursor,
    dropped,
  }),
};

const writeProcess: WireTool = {
  name: 'write_process',
  tool: 'write_process',
  input: () => z.strictObject({ process_id: z.string(), input: z.string() }),
  toCore: (args) => args,
  toWire: ({ process_id, bytes }) => ({ process_id, bytes }),
};

const listProcesses: WireTool = {
  name: 'list_processes',
  tool: 'list_processes',
  input: () => z.strictObject({}),
  toCore: (args) => args,
  toWire: ({ processes }) => ({ processes }),
};

/** The signal is null when the process had ended by itself. */
const killProcess: WireTool = {
  name: 'kill_process',
  tool: 'kill_process',
  input: () => z.strictObject({ process_id: z.string(), signal: z.optional(z.string()) }),
  toCore: (args) => args,
  toWire: ({ process_id, killed, exit_code, signal }) => ({ process_id, killed, exit_code, signal }),
  // The client says how the process ended; what it leaves out is unknown.
  fromWire: (wireResult, { process_id }) => ({ process_id, exit_code: null, signal: null, ...wireResult }),
};

export const processTools: readonly WireTool[] = [
  runPersistent,
  readProcess,
  writeProcess,
  listProcesses,
  killProcess,
];
