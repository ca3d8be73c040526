// A tool that a client carries out in the sessions that are for one; everywhere else it is what it was. The plan says only what the
// arguments say: the files are not here, so where a path really leads is for the client to check.
import { posix } from 'node:path';
import { type Kind, type Plan, ToolError, type Touch } from '@codelab/protocol';
import type { Host, Tool } from '@codelab/runtime';
import { createExecutors, type Executors } from './executors.ts';

type Context = Parameters<Tool['plan']>[1];
type Planned = Awaited<ReturnType<Tool['plan']>>;

export type RemoteOptions = {
  /** Tools that a client can be asked for. */
  isKnown(tool: string): boolean;
};

/** From now on the host's tools that reach into files are carried out by a client where the session says so. */
export function useExecutors(host: Host, options: RemoteOptions): Executors {
  const executors = createExecutors(host.log);
  host.tools = new Map([...host.tools].map(([name, tool]) => [name, remoteTool(tool, executors, options)]));
  return executors;
}

const readers: readonly Kind[] = ['read', 'search'];
const local: readonly Kind[] = ['ask', 'think'];

function remoteTool(tool: Tool, executors: Executors, { isKnown }: RemoteOptions): Tool {
  if (tool.startsAgents || local.includes(tool.kind)) return tool;
  const isReader = readers.includes(tool.kind);
  return {
    ...tool,
    async plan(input, context) {
      if (!(await executors.isRemote(context.session))) return await tool.plan(input, context);
      if (!isKnown(tool.name))
        throw new ToolError('TOOL_NOT_FOUND', `The client that has the files has no tool ${tool.name}.`);
      return await planRemote(tool, input, context);
    },
    async run(input, prepared, context) {
      if (!(await executors.isRemote(context.session))) return await tool.run(input, prepared, context);
      const { session, callId, signal } = context;
      const args = input as Record<string, unknown>;
      const job = { session, callId, tool: tool.name, args, isRepeatable: isReader };
      return { data: await executors.carryOut(job, signal), effects: [] };
    },
  };
}

async function planRemote(tool: Tool, input: unknown, context: Context): Promise<Planned> {
  const isReader = readers.includes(tool.kind);
  const args = input as Record<string, unknown>;
  const judged = tool.kind === 'execute' ? await judgeHere(tool, args, context) : undefined;
  const touches = pathsOf(tool.kind, args);
  const plan: Plan = {
    summary: `${tool.name} ${touches.map(({ path }) => path).join(' ')}`.trim(),
    risk: isReader ? 'low' : 'high',
    riskReason: isReader ? 'It only reads.' : 'It changes files, or runs a program.',
    touches,
    ...judged,
    notes: ['A client carries this out; nothing was looked at here.'],
    basis: [],
  };
  return { plan, intents: [], isUnforeseeable: !isReader, prepared: undefined };
}

// What a command may do is judged by its words. What is missing here may be there, so that only a refusal counts.
async function judgeHere(
  tool: Tool,
  args: Record<string, unknown>,
  context: Context,
): Promise<Partial<Plan> | undefined> {
  try {
    const { plan } = await tool.plan({ ...args, cwd: '.' }, context);
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
    const asked = args[name];
    return typeof asked === 'string' ? [{ asked, path: plainPath(asked), access: access(name) }] : [];
  });
}

// By its words alone; rules look at this form.
function plainPath(asked: string): string {
  const path = posix.normalize(asked.replaceAll('\\', '/')).replace(/(?<=.)\/$/, '');
  if (path === '..' || path.startsWith('../') || posix.isAbsolute(path) || /^[a-z]:/i.test(path))
    throw new ToolError('PATH_OUTSIDE_WORKSPACE', `${asked} leads out of the workspace.`, {
      reason: 'traversal',
    });
  return path;
}
