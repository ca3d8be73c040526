// Runs a sub-agent: a separate conversation in the same session and turn, so that its calls are shown, approved, recorded and undone with
// those of the agent that started it.
import {
  type Agent,
  Conversation,
  cutText,
  type Model,
  resultTokens,
  runTurn,
  summarizeByRules,
  type ToolHost,
} from '@codelab/agent';
import { type AgentSignal, type Outcome, ToolError } from '@codelab/protocol';
import type { Host, Role } from '@codelab/runtime';
import { agentProfile } from './agent-profile.ts';

/** The part of `RunningAgents` that this file uses; an import of it would be a cycle. */
type AtWork = { agent: Agent; talk: Conversation; openModel(name?: string): Promise<Model> };
type Agents = { find(session: string, id?: string): AtWork | undefined; add(agent: AtWork): Disposable };

type Work = { role: Role; objective: string };
type Watched = {
  session: string;
  callId: string;
  signal: AbortSignal;
  report(progress: Record<string, unknown>): void;
};

const maxSummary = 16_000;

export async function runSubAgent(
  { host, agents }: { host: Host; agents: Agents },
  { role, objective }: Work,
  { session, callId, signal, report }: Watched,
): Promise<{ ok: boolean; agent: string; summary: string }> {
  const call = (await host.session(session)).openCalls.get(callId)?.call;
  const above = agents.find(session, call?.agent);
  if (above === undefined)
    throw new ToolError(
      'AGENT_ERROR',
      'No agent is running in this session; only an agent can start sub-agents.',
    );
  const { agent: parent, openModel } = above;
  const agent: Agent = {
    ...parent,
    id: callId,
    model: role.model === undefined ? parent.model : await openModel(role.model),
    profile: await agentProfile(host, session, role.name),
    ...((parent.isAttended || above.talk.isAttended) && { isAttended: true }),
    host: narrowed(parent.host, parent.profile.name),
    emit: telling(parent, role.name, report),
  };
  const describeOutcome = (outcome: Outcome): string =>
    agent.host.tell(outcome, resultTokens(agent.model.contextTokens));
  const conversation = new Conversation(describeOutcome, callId, above.talk.usedIds);
  using _running = agents.add({ ...above, agent, talk: conversation });
  const turn = call?.turn === undefined ? {} : { turn: call.turn };
  const result = await runTurn(agent, conversation, { text: objective, ...turn }, signal);
  signal.throwIfAborted();
  const { end, text, message } = result;
  if (end === 'completed')
    return { ok: true, agent: role.name, summary: cutText(text.trim() || 'It said nothing.', maxSummary) };
  // The error includes what the sub-agent had found out by then.
  const partialResult = `${message}\nUntil then:\n${cutText(summarizeByRules(conversation.messages), maxSummary)}`;
  if (end === 'failed')
    throw new ToolError('AGENT_ERROR', `The sub-agent ${role.name} failed: ${partialResult}`);
  return { ok: false, agent: role.name, summary: partialResult };
}

/** A sub-agent gets no more tools than the agent above it; the runtime enforces this for calls as well. */
function narrowed(host: ToolHost, profile: string): ToolHost {
  let cached:
    | { above: unknown; hostTools: unknown; both: Awaited<ReturnType<ToolHost['tools']>> }
    | undefined;
  return {
    ...host,
    async tools(name, signal, window) {
      const above = await host.tools(profile, signal, window);
      const hostTools = await host.tools(name, signal, window);
      if (cached?.above === above && cached.hostTools === hostTools) return cached.both;
      const names = new Set(above.map((tool) => tool.name));
      cached = { above, hostTools, both: hostTools.filter((tool) => names.has(tool.name)) };
      return cached.both;
    },
  };
}

// The text of a sub-agent is not shown; its calls and approvals are.
function telling(parent: Agent, agent: string, report: Watched['report']): (signal: AgentSignal) => void {
  let calls = 0;
  let lastCall: string | undefined;
  return (signal) => {
    if (signal.type === 'call') {
      calls++;
      lastCall = signal.call.tool;
    }
    if (signal.type === 'status' || signal.type === 'call') {
      const status = signal.type === 'status' ? signal.status : 'executing_tool';
      report({ agent, status, calls, ...(lastCall !== undefined && { last_call: lastCall }) });
    }
    if (isShared(signal)) parent.emit(signal);
    // The cost of a sub-agent counts towards the whole turn.
    if (signal.type === 'reply') parent.emit({ ...signal, reply: { ...signal.reply, text: '', calls: [] } });
  };
}

function isShared(signal: AgentSignal): boolean {
  switch (signal.type) {
    case 'call':
    case 'approval':
    case 'decided':
    case 'progress':
    case 'outcome':
    case 'retry':
      return true;
    case 'status':
      return signal.status === 'waiting_approval' || signal.status === 'executing_tool';
    case 'text':
    case 'reasoning':
    case 'reply':
    case 'ended':
      return false;
  }
}
