// Carries an agent's calls out in this process, through the runtime; what happens meanwhile is told as it happens.
import type { HostEvent, HostTool, ToolHost } from '@codelab/agent';
import { type Dialect, describeInput, findDialect, knownInputs } from '@codelab/dialects';
import { type DialectName, type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import {
  createRegistry,
  type Host,
  inputSchema,
  listForeign,
  recordRefusal,
  runCall,
  type Tool,
} from '@codelab/runtime';
import { createQueue } from './queue.ts';
import { tellOutcome } from './tell-outcome.ts';

/** The model is offered a dialect's tools by its names; what it asks becomes core calls. */
export function createLocalHost(
  host: Host,
  session: string,
  dialectName: DialectName = 'codelab',
  workingDir?: string,
): ToolHost {
  const dialect = findDialect(dialectName, { root: host.workspace.root.real, workingDir });
  const known = new Map<string, Listed>();
  return {
    async tools(profile, signal) {
      const until = AbortSignal.any([host.closing, signal]);
      const foreign = await listForeign(host, await host.profiles.find(profile), until);
      const before = known.get(profile);
      if (before !== undefined && isSame(before.foreign, foreign)) return before.tools;
      const own = before?.own ?? (await listTools(host, session, profile, dialect));
      const tools = [...own, ...foreign.map(describeForeign)];
      known.set(profile, { own, foreign, tools });
      return tools;
    },
    execute: (call, signal) => execute(host, call, dialect, signal),
    refuse: async (call, { code, message }) =>
      await recordRefusal(await host.session(call.session), call, new ToolError(code, message)),
    tell: (outcome, tokens = Number.POSITIVE_INFINITY) => tellOutcome(host, dialect, outcome, tokens),
  };
}

/** What was listed for a profile: our own tools, those of others, and both as a model is told of them. */
type Listed = { own: readonly HostTool[]; foreign: readonly Tool[]; tools: readonly HostTool[] };

function isSame(before: readonly Tool[], now: readonly Tool[]): boolean {
  return before === now || (before.length === now.length && before.every((tool, i) => tool === now[i]));
}

function describeForeign(tool: Tool): HostTool {
  const { name, kind, summary } = tool;
  return { name, kind, summary, input: tool.jsonSchema ?? inputSchema(tool.input()) };
}

async function listTools(
  host: Host,
  session: string,
  profile: string,
  dialect: Dialect,
): Promise<HostTool[]> {
  const { tools } = await createRegistry(host, { session, dialect: 'codelab', profile });
  const core = new Map(tools.map((tool) => [tool.name, tool]));
  return dialect.tools.flatMap((row) => {
    const tool = core.get(row.tool);
    if (tool === undefined) return [];
    const isKnown = dialect.name === 'codelab' && Object.hasOwn(knownInputs, row.name);
    const input = isKnown ? knownInputs[row.name] : describeInput(row);
    return [{ name: row.name, kind: tool.kind, summary: tool.summary, input }];
  });
}

async function* execute(
  host: Host,
  asked: ToolCall,
  dialect: Dialect,
  signal: AbortSignal,
): AsyncGenerator<HostEvent> {
  const queue = createQueue<HostEvent>();
  const session = await host.session(asked.session);
  const stops = [
    host.progress.watch(asked.session, (call, progress) => {
      if (call.id === asked.id) queue.push({ type: 'progress', progress });
    }),
    session.watch(({ body }) => {
      if (!('callId' in body) || body.callId !== asked.id) return;
      if (body.type === 'approval.requested') queue.push({ type: 'approval', approval: body.approval });
      else if (body.type === 'approval.decided' || body.type === 'approval.expired') {
        const decision = body.type === 'approval.decided' ? body.decision.kind : 'expired';
        queue.push({ type: 'decided', approvalId: body.approvalId, decision });
      }
    }),
  ];
  // An approval that waits since before a restart is told of as well.
  const state = session.openCalls.get(asked.id);
  if (state?.state === 'awaiting_approval') queue.push({ type: 'approval', approval: state.approval });
  run(host, asked, dialect, signal)
    .then((outcome) => queue.push({ type: 'outcome', outcome }))
    .then(
      () => queue.end(),
      (error: unknown) => queue.fail(error),
    );
  try {
    yield* queue;
  } finally {
    for (const stop of stops) stop();
  }
}

async function run(host: Host, asked: ToolCall, dialect: Dialect, signal: AbortSignal): Promise<Outcome> {
  // One that waits since before a restart may have been asked in other words than those spoken now.
  const open = (await host.session(asked.session)).openCalls.get(asked.id)?.call;
  if (open !== undefined && open.turn === asked.turn && open.agent === asked.agent)
    return await runCall(host, { ...open, ...(asked.profile && { profile: asked.profile }) }, signal);
  // Tools of others have one name in every dialect.
  if (asked.tool.startsWith('mcp:')) return await runCall(host, asked, signal);
  try {
    const { tool, args } = dialect.ask({ id: asked.id, tool: asked.tool, args: asked.args, isLasting: true });
    // Our own words, but not the narrow limits of the wire they come from.
    const limits = dialect.name === 'codelab' ? asked.dialect : dialect.name;
    return await runCall(host, { ...asked, tool, args, dialect: limits }, signal);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // The dialect refuses it before it reaches the runtime.
    return await recordRefusal(await host.session(asked.session), asked, error);
  }
}
