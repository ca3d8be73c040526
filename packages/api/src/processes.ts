// Long-running processes and the commands that run now: what they printed, writing to them, and ending them.
import { Confinement } from '@codelab/protocol';
import * as z from 'zod/mini';
import { route } from './route.ts';
import { cursor, lazily, time } from './shared.ts';

const base = '/api/v1/processes';
const call = '/api/v1/sessions/{id}/calls/{call}';

const standing = () => ({
  process_id: z.string(),
  status: z.enum(['running', 'exited']),
  exit_code: z.nullable(z.number()),
});

/** `cursor` is where the next reading goes on; `dropped` counts bytes that were gone before they were read. */
const printed = () => ({ output: z.string(), cursor: z.number(), dropped: z.number() });

const ProcessEntry = lazily(() =>
  z.strictObject({
    ...standing(),
    pid: z.number(),
    command: z.string(),
    session: z.string(),
    started_at: time(),
    confinement: Confinement(),
  }),
);
export type ProcessEntry = z.infer<ReturnType<typeof ProcessEntry>>;

const RunningCommand = lazily(() =>
  z.strictObject({
    call_id: z.string(),
    session: z.string(),
    tool: z.string(),
    command: z.string(),
    started_at: time(),
    turn: z.nullable(z.number()),
  }),
);
export type RunningCommand = z.infer<ReturnType<typeof RunningCommand>>;

/** Files that a command tried to change and was held back from. */
const held = () => ({ held_back: z.optional(z.unknown()), notes: z.optional(z.array(z.string())) });

const ProcessOutput = lazily(() => z.strictObject({ ...standing(), ...printed() }));
export type ProcessOutput = z.infer<ReturnType<typeof ProcessOutput>>;

const CommandOutput = lazily(() =>
  z.strictObject({ call_id: z.string(), status: z.literal('running'), ...printed() }),
);
export type CommandOutput = z.infer<ReturnType<typeof CommandOutput>>;

export const processRoutes = {
  list: route({
    id: 'listProcesses',
    method: 'GET',
    path: base,
    summary: 'Long-running processes, and the commands that run now',
    answer: lazily(() =>
      z.strictObject({ processes: z.array(ProcessEntry()), commands: z.array(RunningCommand()) }),
    ),
  }),
  output: route({
    id: 'readProcessOutput',
    method: 'GET',
    path: `${base}/{id}/output`,
    summary: 'What a process printed since a cursor',
    query: () =>
      z.object({
        cursor: cursor(),
        /** With its escape sequences, for a terminal to show. */
        raw: z._default(z.enum(['true', 'false']), 'false'),
      }),
    answer: ProcessOutput,
  }),
  input: route({
    id: 'writeProcessInput',
    method: 'POST',
    path: `${base}/{id}/input`,
    summary: 'Writes to a process',
    body: () => z.strictObject({ input: z.string().check(z.minLength(1), z.maxLength(65_536)) }),
    answer: lazily(() => z.strictObject({ process_id: z.string(), bytes: z.number() })),
  }),
  stop: route({
    id: 'stopProcess',
    method: 'POST',
    path: `${base}/{id}/stop`,
    summary: 'Ends a process with everything it started',
    answer: lazily(() =>
      z.strictObject({
        process_id: z.string(),
        killed: z.boolean(),
        exit_code: z.nullable(z.number()),
        signal: z.nullable(z.string()),
        ...held(),
      }),
    ),
  }),
  restart: route({
    id: 'restartProcess',
    method: 'POST',
    path: `${base}/{id}/restart`,
    summary: 'Ends a process and starts it again as it was started',
    answer: lazily(() =>
      z.strictObject({
        process_id: z.string(),
        pid: z.number(),
        status: z.string(),
        ready: z.boolean(),
      }),
    ),
  }),
  commandOutput: route({
    id: 'readCommandOutput',
    method: 'GET',
    path: `${call}/output`,
    summary: 'What a running command has printed since a cursor',
    query: () => z.object({ cursor: cursor() }),
    answer: CommandOutput,
  }),
  stopCommand: route({
    id: 'stopCommand',
    method: 'POST',
    path: `${call}/stop`,
    summary: 'Ends one running command; its turn goes on',
    status: 202,
    answer: lazily(() => z.strictObject({ call_id: z.string() })),
  }),
};
