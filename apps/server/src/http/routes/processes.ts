// The processes and running commands of a session: their output, input to them, and ending them.
import { type ProcessEntry, processRoutes, type RunningCommandEntry } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import {
  exitCode,
  type Host,
  type RunningCommand as HostCommand,
  type RunningCommand as RunningCall,
} from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { logPages } from '../../log/entries.ts';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { serveRoute } from '../route.ts';
import { callAsPerson } from '../work/call-as-person.ts';
import { ownSessions } from '../work/own-sessions.ts';
import { runningCommands } from '../work/running-commands.ts';

// The long-running processes of a peer's sessions: list, read, write to, stop, start again. Commands that run now are listed beside them.
type Entry = ReturnType<ReturnType<Host['processes']>['all']>[number];
const mostBytes = 256 * 1024;

export function serveProcesses(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;

  serveRoute(app, processRoutes.list, async ({ peer }) => {
    const sessions = await ownSessions(gateway, peer);
    const processes = host
      .processes()
      .all()
      .filter(({ session }) => sessions.has(session));
    return { processes: processes.map(view), commands: runningCommands(host, sessions).map(commandView) };
  });

  serveRoute(app, processRoutes.output, async ({ peer, params, query: { cursor, raw } }) => {
    const { entry } = await find(gateway, peer, params.id);
    return { ...standingOf(entry), ...entry.process.read(cursor, mostBytes, { isRaw: raw === 'true' }) };
  });

  serveRoute(app, processRoutes.input, async ({ peer, params, body: { input } }) => {
    const { session, entry } = await find(gateway, peer, params.id);
    return await callAsPerson(session, peer, 'write_process', { process_id: entry.id, input });
  });

  serveRoute(app, processRoutes.stop, async ({ peer, params }) => {
    const { session, entry } = await find(gateway, peer, params.id);
    return await callAsPerson(session, peer, 'kill_process', { process_id: entry.id });
  });

  serveRoute(app, processRoutes.restart, async ({ peer, params }) => {
    const { session, entry } = await find(gateway, peer, params.id);
    const args = await startedWith(session, entry.id);
    if (entry.process.exit === undefined)
      await callAsPerson(session, peer, 'kill_process', { process_id: entry.id });
    return await callAsPerson(session, peer, 'run_persistent', args);
  });
}

type Found = { entry: Entry; session: SharedSession };

// Asking must not reveal the owner: a process of another person counts as missing.
async function find(gateway: Gateway, by: Peer, id: string): Promise<Found> {
  const entry = gateway.host
    .processes()
    .all()
    .find((entry) => entry.id === id);
  const session =
    entry && (await gateway.session(entry.session, by, { mustExist: true }).catch(unlessDenied));
  if (entry !== undefined && session !== undefined) return { entry, session };
  throw new ToolError(
    'FILE_NOT_FOUND',
    `There is no process ${JSON.stringify(id.slice(0, 100))}. GET ${processRoutes.list.path} lists them.`,
  );
}

function unlessDenied(error: unknown): undefined {
  if (error instanceof ToolError && ['PERMISSION_DENIED', 'SESSION_NOT_FOUND'].includes(error.code)) return;
  throw error;
}

// The arguments of the last run, including a human's edits.
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

function standingOf({
  id,
  process: { exit },
}: Entry): Pick<ProcessEntry, 'process_id' | 'status' | 'exit_code'> {
  const status = exit === undefined ? 'running' : 'exited';
  return { process_id: id, status, exit_code: exit === undefined ? null : exitCode(exit) };
}

function view(entry: Entry): ProcessEntry {
  const { session, command, confinement, process } = entry;
  const { pid, startedAt } = process;
  return { ...standingOf(entry), pid, command, session, started_at: startedAt, confinement };
}

function commandView({ call, startedAt }: RunningCall): RunningCommandEntry {
  const { id, session, tool, args, turn = null } = call;
  const command = String(args.command ?? tool).slice(0, 2000);
  return { call_id: id, session, tool, command, started_at: new Date(startedAt).toISOString(), turn };
}

// A running command of a session: its output so far, and ending it alone. Its turn continues.
export function serveRunningCalls(app: FastifyInstance, gateway: Gateway): void {
  async function find(id: string, call: string, by: Peer): Promise<HostCommand> {
    const session = await gateway.session(id, by, { mustExist: true });
    const found = runningCommands(gateway.host, new Set([session.id])).find(
      (command) => command.call.id === call,
    );
    if (found !== undefined) return found;
    throw new ToolError(
      'FILE_NOT_FOUND',
      `No command ${JSON.stringify(call.slice(0, 200))} runs in this session. GET ${processRoutes.list.path} lists those that do.`,
    );
  }

  serveRoute(app, processRoutes.commandOutput, async ({ peer, params, query }) => {
    const { call, read } = await find(params.id, params.call, peer);
    return { call_id: call.id, status: 'running' as const, ...read(query.cursor) };
  });

  serveRoute(app, processRoutes.stopCommand, async ({ peer, params }) => {
    const { call, stop } = await find(params.id, params.call, peer);
    stop();
    return { call_id: call.id };
  });
}
