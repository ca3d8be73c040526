// Sessions whose files are with a client: their tools forward to the client, and their agent cannot reach files of this machine.

import { posix } from 'node:path';
import { findDialect } from '@codelab/dialects';
import {
  type DialectName,
  type Kind,
  type PlanDraft,
  phrase,
  ToolError,
  type Touch,
} from '@codelab/protocol';
import { type Host, type Tool, type ToolDecorator, Workspace } from '@codelab/runtime';
import { profileSource } from '../agent/host-agents.ts';
import { emptyFolder } from '../config/state-file.ts';
import { createExecutors, type Executors } from './executors.ts';
import { dataOf } from './job-queue.ts';

export type ClientSessions = Disposable & {
  executors: Executors;
  /** The workspace under which the sessions are recorded. */
  root: string;
  /** The dialect of the client that runs the session's calls; undefined where this gateway runs them. */
  clientOf(session: string): Promise<DialectName | undefined>;
  /** The host whose file tools run on a client in the sessions that have one. */
  local: Host;
  /** The host as such a session sees it: no files, no foreign tools, no profiles of a workspace. */
  host: Host;
};

type Options = {
  clientOf: ClientSessions['clientOf'];
  /** Wraps every tool, including those that a client carries out. */
  watchTool: ToolDecorator | undefined;
};

const same: ToolDecorator = (tool) => tool;

export function openClientSessions(baseHost: Host, { clientOf, watchTool = same }: Options): ClientSessions {
  const { home } = baseHost;
  const executors = createExecutors(baseHost);
  const nowhere = Workspace.open(emptyFolder(home));
  const options = { executors, clientOf, nowhere };
  const local = baseHost.decorated((tool) => remoteTool(tool, options)).decorated(watchTool);
  const profiles = profileSource({ home, root: emptyFolder(home), isTrusted: false });
  return {
    executors,
    root: baseHost.workspace.root.real,
    clientOf,
    local,
    // Foreign tools run on this machine and could read its files.
    host: { ...local, workspace: nowhere, foreign: undefined, profiles },
    [Symbol.dispose]: () => nowhere[Symbol.dispose](),
  };
}

// A tool that a client runs in its sessions; elsewhere it is unchanged. The plan has only what the arguments say: the files are not here,
// so the client has to check where a path really leads.
type Context = Parameters<Tool['plan']>[1];
type Planned = Awaited<ReturnType<Tool['plan']>>;

type RemoteOptions = {
  executors: Executors;
  /** The dialect of the client that runs the session's calls; undefined where this gateway runs them. */
  clientOf(session: string): Promise<DialectName | undefined>;
  /** An empty workspace in place of the files, which are not here. */
  nowhere: Workspace;
};

const readers: readonly Kind[] = ['read', 'search'];
const local: readonly Kind[] = ['ask', 'think'];

function remoteTool(tool: Tool, { executors, clientOf, nowhere }: RemoteOptions): Tool {
  const isReader = readers.includes(tool.kind);
  const isLocal = local.includes(tool.kind);
  return {
    ...tool,
    async plan(input, context) {
      const client = await clientOf(context.session);
      if (client === undefined) return await tool.plan(input, context);
      const elsewhere = { ...context, workspace: nowhere, hasNoFiles: true as const };
      if (tool.startsAgents || !isOffered(tool, client))
        throw new ToolError('TOOL_NOT_FOUND', `The client that has the files has no tool ${tool.name}.`);
      const isHere = isLocal || (tool.readsUnsaved === true && isKeptHere(input, context));
      return isHere ? await tool.plan(input, elsewhere) : await planRemote(tool, input, elsewhere);
    },
    async run(input, prepared, context) {
      if ((await clientOf(context.session)) === undefined) return await tool.run(input, prepared, context);
      const { session, callId, args, signal, report } = context;
      // The tool was planned here, because its input is here.
      if (prepared !== undefined && !isLocal)
        return await tool.run(input, prepared, { ...context, workspace: nowhere, hasNoFiles: true });
      if (isLocal) {
        // The client may have asked its own human; then its answer is the result.
        const answered = executors.takeForeseen(session, callId);
        if (answered !== undefined) return { data: dataOf(answered), effects: [] };
        return await tool.run(input, prepared, { ...context, workspace: nowhere, hasNoFiles: true });
      }
      const job = { session, callId, tool: tool.name, args, isRepeatable: isReader, report };
      return { data: await executors.carryOut(job, signal), effects: [] };
    },
  };
}

/** The unsaved text of a file, or the output of an earlier call, which is in the log. */
function isKeptHere(input: unknown, { unsaved }: Context): boolean {
  const { path } = input as { path?: unknown };
  return typeof path === 'string' && (path.startsWith('output:') || unsaved(plainPath(path)) !== undefined);
}

/** Tools that the gateway runs itself are offered, also when the client's dialect has no row for them. */
function isOffered({ name, kind }: Tool, client: DialectName): boolean {
  return (
    local.includes(kind) || findDialect(client).tools.some((row) => row.tool === name && !row.isExtension)
  );
}

async function planRemote(tool: Tool, input: unknown, context: Context): Promise<Planned> {
  const isReader = readers.includes(tool.kind);
  const args = input as Record<string, unknown>;
  const judged = typeof args.command === 'string' ? await judgeHere(tool, args, context) : undefined;
  const touches = pathsOf(tool.kind, args);
  const plan: PlanDraft = {
    summary: `${tool.name} ${touches.map(({ path }) => path).join(' ')}`.trim(),
    risk: isReader ? 'low' : 'high',
    riskReason: phrase(isReader ? 'risk.onlyReads' : 'risk.client'),
    touches,
    ...judged,
    notes: [phrase('note.client')],
    basis: [],
  };
  // The arguments do not name what the tool changes, so no rule about paths can match.
  const isBlind = !isReader && judged === undefined && touches.length === 0;
  const caution = isBlind ? phrase('call.blind') : undefined;
  return {
    plan,
    intents: [],
    isUnforeseeable: !isReader,
    isElsewhere: true,
    ...(caution !== undefined && { caution }),
    prepared: undefined,
  };
}

// A command is judged by its words. A file that is missing here may exist at the client, so only a refusal counts.
async function judgeHere(
  tool: Tool,
  args: Record<string, unknown>,
  context: Context,
): Promise<Partial<PlanDraft> | undefined> {
  try {
    const { plan } = await tool.plan({ ...args, ...('cwd' in args && { cwd: '.' }) }, context);
    const { summary, risk, riskReason, command, touches } = plan;
    return { summary, risk, riskReason, touches, ...(command && { command }) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (refusals.includes(error.code)) throw error;
    return undefined;
  }
}

const refusals: readonly string[] = [
  'COMMAND_NOT_ALLOWED',
  'COMMAND_NOT_WHITELISTED',
  'PERMISSION_DENIED',
  'PATH_OUTSIDE_WORKSPACE',
  'INVALID_ARGUMENTS',
];

function pathsOf(kind: Kind, args: Record<string, unknown>): Touch[] {
  const access = (name: string): Touch['access'] => {
    if (readers.includes(kind)) return 'read';
    return kind === 'delete' || name === 'from' ? 'delete' : 'write';
  };
  return ['path', 'from', 'to'].flatMap((name) => {
    const named = args[name];
    return typeof named === 'string' ? [{ asked: named, path: plainPath(named), access: access(name) }] : [];
  });
}

// Normalised by text alone; rules match this form.
function plainPath(requestedPath: string): string {
  const path = posix.normalize(requestedPath.replaceAll('\\', '/')).replace(/(?<=.)\/$/, '');
  if (path === '..' || path.startsWith('../') || posix.isAbsolute(path) || /^[a-z]:/i.test(path))
    throw new ToolError('PATH_OUTSIDE_WORKSPACE', `${requestedPath} leads out of the workspace.`, {
      reason: 'traversal',
    });
  return path;
}
