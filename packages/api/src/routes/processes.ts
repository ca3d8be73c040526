// Supervised processes, running commands and a person's own terminals: reading their output, writing to them, and ending them.
import { Confinement } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { cursor, lazily, time, wholeNumber } from '../shared.ts';

const base = '/api/v1/processes';
const call = '/api/v1/sessions/{id}/calls/{call}';

const processFields = () => ({
  process_id: z.string(),
  status: z.enum(['running', 'exited']),
  exit_code: z.nullable(z.number()),
});

/** `cursor` is where the next read continues; `dropped` counts bytes that were lost before they were read. */
const printed = () => ({ output: z.string(), cursor: z.number(), dropped: z.number() });

const ProcessEntry = lazily(() =>
  z.strictObject({
    ...processFields(),
    pid: z.number(),
    command: z.string(),
    session: z.string(),
    started_at: time(),
    confinement: Confinement(),
  }),
);
export type ProcessEntry = z.infer<ReturnType<typeof ProcessEntry>>;

const RunningCommandEntry = lazily(() =>
  z.strictObject({
    call_id: z.string(),
    session: z.string(),
    tool: z.string(),
    command: z.string(),
    started_at: time(),
    turn: z.nullable(z.number()),
  }),
);
export type RunningCommandEntry = z.infer<ReturnType<typeof RunningCommandEntry>>;

/** Files that were held back from a command. */
const heldFields = () => ({ held_back: z.optional(z.unknown()), notes: z.optional(z.array(z.string())) });

const ProcessOutput = lazily(() => z.strictObject({ ...processFields(), ...printed() }));
export type ProcessOutput = z.infer<ReturnType<typeof ProcessOutput>>;

const CommandOutputPart = lazily(() =>
  z.strictObject({ call_id: z.string(), status: z.literal('running'), ...printed() }),
);
export type CommandOutputPart = z.infer<ReturnType<typeof CommandOutputPart>>;

export const processRoutes = {
  list: defineRoute({
    id: 'listProcesses',
    method: 'GET',
    path: base,
    summary: 'Long-running processes, and the commands that run now',
    answer: lazily(() =>
      z.strictObject({ processes: z.array(ProcessEntry()), commands: z.array(RunningCommandEntry()) }),
    ),
  }),
  output: defineRoute({
    id: 'readProcessOutput',
    method: 'GET',
    path: `${base}/{id}/output`,
    summary: 'The output of a process since a cursor',
    query: () =>
      z.object({
        cursor: cursor(),
        /** With escape sequences, for display in a terminal. */
        raw: z._default(z.enum(['true', 'false']), 'false'),
      }),
    answer: ProcessOutput,
  }),
  input: defineRoute({
    id: 'writeProcessInput',
    method: 'POST',
    path: `${base}/{id}/input`,
    summary: 'Writes to a process',
    body: () => z.strictObject({ input: z.string().check(z.minLength(1), z.maxLength(65_536)) }),
    answer: lazily(() => z.strictObject({ process_id: z.string(), bytes: z.number() })),
  }),
  stop: defineRoute({
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
        ...heldFields(),
      }),
    ),
  }),
  restart: defineRoute({
    id: 'restartProcess',
    method: 'POST',
    path: `${base}/{id}/restart`,
    summary: 'Restarts a process as it was started',
    answer: lazily(() =>
      z.strictObject({
        process_id: z.string(),
        pid: z.number(),
        status: z.string(),
        ready: z.boolean(),
      }),
    ),
  }),
  commandOutput: defineRoute({
    id: 'readCommandOutput',
    method: 'GET',
    path: `${call}/output`,
    summary: 'The output of a running command since a cursor',
    query: () => z.object({ cursor: cursor() }),
    answer: CommandOutputPart,
  }),
  stopCommand: defineRoute({
    id: 'stopCommand',
    method: 'POST',
    path: `${call}/stop`,
    summary: 'Ends one running command; its turn continues',
    status: 202,
    answer: lazily(() => z.strictObject({ call_id: z.string() })),
  }),
};

// A person's own terminals, for the operator at a signed-in page. Input and output are recorded nowhere.

const terminals = '/api/v1/sessions/{id}/terminals';
const terminal = `${terminals}/{terminal}`;

const terminalStanding = () => ({
  terminal_id: z.string(),
  status: z.enum(['running', 'exited']),
  exit_code: z.nullable(z.number()),
});

const TerminalView = lazily(() =>
  z.strictObject({ ...terminalStanding(), shell: z.string(), cwd: z.string(), started_at: time() }),
);
export type TerminalView = z.infer<ReturnType<typeof TerminalView>>;

const TerminalOutput = lazily(() =>
  z.strictObject({
    ...terminalStanding(),
    /** The printed bytes, in base64. */
    output: z.string(),
    /** The position of the next read. */
    cursor: z.number(),
    /** The number of bytes before these that are no longer stored. */
    dropped: z.number(),
  }),
);
export type TerminalOutput = z.infer<ReturnType<typeof TerminalOutput>>;

const TerminalSize = () =>
  z.strictObject({
    cols: z.int().check(z.gte(2), z.lte(1000)),
    rows: z.int().check(z.gte(1), z.lte(1000)),
  });

export const terminalRoutes = {
  list: defineRoute({
    id: 'listTerminals',
    method: 'GET',
    path: terminals,
    summary: 'Your terminals in a session; all of these routes are for the operator at a signed-in page',
    answer: lazily(() => z.strictObject({ terminals: z.array(TerminalView()) })),
  }),
  open: defineRoute({
    id: 'openTerminal',
    method: 'POST',
    path: terminals,
    summary: 'Opens your shell in the workspace, outside of the sandbox',
    body: TerminalSize,
    status: 201,
    answer: TerminalView,
  }),
  output: defineRoute({
    id: 'readTerminalOutput',
    method: 'GET',
    path: `${terminal}/output`,
    summary: 'The output of a terminal since a cursor; waits up to `wait_ms` for more',
    query: () => z.object({ cursor: cursor(), wait_ms: z._default(wholeNumber(30_000), 0) }),
    answer: TerminalOutput,
  }),
  input: defineRoute({
    id: 'writeTerminalInput',
    method: 'POST',
    path: `${terminal}/input`,
    summary: 'Types into a terminal',
    body: () => z.strictObject({ input: z.string().check(z.minLength(1), z.maxLength(65_536)) }),
    status: 204,
  }),
  resize: defineRoute({
    id: 'resizeTerminal',
    method: 'POST',
    path: `${terminal}/size`,
    summary: 'Sets the screen size of a terminal',
    body: TerminalSize,
    status: 204,
  }),
  close: defineRoute({
    id: 'closeTerminal',
    method: 'DELETE',
    path: terminal,
    summary: 'Ends a terminal with everything that runs in it',
    status: 204,
  }),
};
