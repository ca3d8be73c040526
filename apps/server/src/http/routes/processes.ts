// The long-running processes of a peer's sessions: list, read, write to, stop, start again. Commands that run now are listed beside them.
import { ToolError } from '@codelab/protocol';
import { exitCode, type Host, type RunningCommand } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import { logPages } from '../../log/log-pages.ts';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { callAsPerson } from '../work/call-as-person.ts';
import { ownSessions } from '../work/own-sessions.ts';
import { runningCommands } from '../work/running-commands.ts';

type Entry = ReturnType<Host['processes']['all']>[number];
type ById = { Params: { id: string } };

const base = '/api/v1/processes';
const mostBytes = 256 * 1024;

const Cursor = () =>
  z.object({
    cursor: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)), 0),
    /** With its escape sequences, for a terminal to show. */
    raw: z._default(z.enum(['true', 'false']), 'false'),
  });
const Input = () => z.strictObject({ input: z.string().check(z.minLength(1), z.maxLength(65_536)) });

export function processRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;

  const listing = { summary: 'Long-running processes, and the commands that run now' };
  app.get(base, { config: { about: listing } }, async ({ peer }) => {
    const own = await ownSessions(gateway, peer);
    const processes = host.processes.all().filter(({ session }) => own.has(session));
    return { processes: processes.map(view), commands: runningCommands(host, own).map(commandView) };
  });

  const reading = { summary: 'What a process printed since a cursor', query: Cursor };
  app.get<ById>(`${base}/:id/output`, { config: { about: reading } }, async ({ peer, params, query }) => {
    const { cursor, raw } = readInput(Cursor(), query);
    const { entry } = await find(gateway, peer, params.id);
    return { ...standingOf(entry), ...entry.process.read(cursor, mostBytes, { isRaw: raw === 'true' }) };
  });
  actingRoutes(app, gateway);
}

function actingRoutes(app: FastifyInstance, gateway: Gateway): void {
  async function act(
    id: string,
    by: Peer,
    work: (session: SharedSession, entry: Entry) => Promise<object>,
  ): Promise<object> {
    const { session, entry } = await find(gateway, by, id);
    return await work(session, entry);
  }

  const writing = { summary: 'Writes to a process', body: Input };
  app.post<ById>(`${base}/:id/input`, { config: { about: writing } }, async ({ peer, params, body }) => {
    const { input } = readInput(Input(), body);
    return await act(params.id, peer, (session, { id }) =>
      callAsPerson(session, peer, 'write_process', { process_id: id, input }),
    );
  });

  const stopping = { summary: 'Ends a process with everything it started' };
  app.post<ById>(`${base}/:id/stop`, { config: { about: stopping } }, async ({ peer, params }) =>
    act(params.id, peer, (session, { id }) =>
      callAsPerson(session, peer, 'kill_process', { process_id: id }),
    ),
  );

  const restarting = { summary: 'Ends a process and starts it again as it was started' };
  app.post<ById>(`${base}/:id/restart`, { config: { about: restarting } }, async ({ peer, params }) =>
    act(params.id, peer, async (session, { id, process: { exit } }) => {
      const args = await startedWith(session, id);
      if (exit === undefined) await callAsPerson(session, peer, 'kill_process', { process_id: id });
      return await callAsPerson(session, peer, 'run_persistent', args);
    }),
  );
}

type Found = { entry: Entry; session: SharedSession };

// Whose it is must not be learned by asking: a stranger's process is not there.
async function find(gateway: Gateway, by: Peer, id: string): Promise<Found> {
  const entry = gateway.host.processes.all().find((one) => one.id === id);
  const session =
    entry && (await gateway.session(entry.session, by, { mustExist: true }).catch(unlessDenied));
  if (entry !== undefined && session !== undefined) return { entry, session };
  throw new ToolError(
    'FILE_NOT_FOUND',
    `There is no process ${JSON.stringify(id.slice(0, 100))}. GET ${base} lists them.`,
  );
}

function unlessDenied(error: unknown): undefined {
  if (error instanceof ToolError && ['PERMISSION_DENIED', 'SESSION_NOT_FOUND'].includes(error.code)) return;
  throw error;
}

// As it ran the last time, with what a human may have changed in it.
async function startedWith(
  { host, id: session }: SharedSession,
  id: string,
): Promise<Record<string, unknown>> {
  const starts = new Set<string>();
  let latest: Record<string, unknown> | undefined;
  for await (const page of logPages(host.log, session))
    for (const { body } of page) {
      if (body.type === 'call.received' && body.call.tool === 'run_persistent') starts.add(body.call.id);
      if (body.type === 'call.started' && starts.has(body.callId) && body.args.process_id === id)
        latest = body.args;
    }
  if (latest !== undefined) return latest;
  throw new ToolError('FILE_NOT_FOUND', `The record does not say how ${id} was started.`);
}

function standingOf({ id, process: { exit } }: Entry): object {
  const status = exit === undefined ? 'running' : 'exited';
  return { process_id: id, status, exit_code: exit === undefined ? null : exitCode(exit) };
}

function view(entry: Entry): object {
  const { session, command, confinement, process } = entry;
  const { pid, startedAt } = process;
  return { ...standingOf(entry), pid, command, session, started_at: startedAt, confinement };
}

function commandView({ call, startedAt }: RunningCommand): object {
  const { id, session, tool, args, turn = null } = call;
  const command = String(args.command ?? tool).slice(0, 2000);
  return { call_id: id, session, tool, command, started_at: new Date(startedAt).toISOString(), turn };
}
