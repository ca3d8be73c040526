// Runs the calls of a reply: readers at once, everything else in order, and calls that need approval at the same time as a group.
import type { CallGroup, ToolCall, WantedCall } from '@codelab/protocol';
import { type Agent, agentField, type HostEvent, type HostTool } from './agent.ts';
import type { Conversation } from './conversation.ts';

/** Runs all calls of the last reply that have no result yet: neighbouring readers at once, everything else one after the other. */
export async function runCalls(agent: Agent, conversation: Conversation, signal: AbortSignal): Promise<void> {
  const { open } = conversation;
  if (open.length === 0) return;
  const tools = await agent.host.tools(agent.profile.name, signal);
  const kinds = new Map(tools.map(({ name, kind }) => [name, kind]));
  for (const { sort, calls } of batchesOf(open, kinds)) {
    signal.throwIfAborted();
    if (sort === 'reading')
      await allOf(calls.map((modelCall) => runOne(agent, conversation, { modelCall }, signal)));
    else await runInOrder(agent, conversation, calls, signal);
  }
  signal.throwIfAborted();
}

/** Runs calls one after the other. Calls that can share one approval step are asked about together and still run in order. */
async function runInOrder(
  agent: Agent,
  conversation: Conversation,
  calls: readonly WantedCall[],
  signal: AbortSignal,
): Promise<void> {
  for (let rest = calls; rest.length > 0; ) {
    signal.throwIfAborted();
    const together =
      rest.length === 1
        ? 1
        : ((await agent.host.askedTogether?.(
            rest.map((modelCall) => toCall(agent, conversation, modelCall)),
            signal,
          )) ?? 1);
    const [first] = rest;
    if (together > 1) await runGroup(agent, conversation, rest.slice(0, together), signal);
    else if (first !== undefined) await runOne(agent, conversation, { modelCall: first }, signal);
    rest = rest.slice(Math.max(1, together));
  }
}

/**
 * Each call is asked about before the next one begins, so that the approvals are in order; listeners get them when all have been asked.
 */
async function runGroup(
  agent: Agent,
  conversation: Conversation,
  calls: readonly WantedCall[],
  signal: AbortSignal,
): Promise<void> {
  const approvals: ApprovalEvent[] = [];
  let isPut = false;
  const emitOnce = (event: ApprovalEvent): void => {
    if (isPut) emitApproval(agent, event);
    else approvals.push(event);
  };
  const running: Promise<void>[] = [];
  for (const [i, modelCall] of calls.entries()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = { id: calls[0]?.id ?? modelCall.id, index: i + 1, size: calls.length };
    const onAsked = (event: ApprovalEvent): void => {
      emitOnce(event);
      resolve();
    };
    const work = runOne(agent, conversation, { modelCall, group, onAsked }, signal);
    work.then(resolve, resolve);
    running.push(work);
    await promise;
  }
  isPut = true;
  for (const event of approvals) emitApproval(agent, event);
  await allOf(running);
}

/** Waits for all of them, also when one fails: no call runs on after the turn has ended. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

type ApprovalEvent = Extract<HostEvent, { type: 'approval' }>;
type OneCall = { modelCall: WantedCall; group?: CallGroup; onAsked?(event: ApprovalEvent): void };

function emitApproval(agent: Agent, event: ApprovalEvent): void {
  agent.emit({ type: 'status', status: 'waiting_approval' });
  agent.emit(event);
}

async function runOne(
  agent: Agent,
  conversation: Conversation,
  { modelCall, group, onAsked = (event) => emitApproval(agent, event) }: OneCall,
  signal: AbortSignal,
): Promise<void> {
  const call = { ...toCall(agent, conversation, modelCall), ...(group && { group }) };
  if (modelCall.problem !== undefined)
    return await refuse(agent, conversation, call, { code: 'INVALID_ARGUMENTS', message: modelCall.problem });
  agent.emit({ type: 'call', call });
  agent.emit({ type: 'status', status: 'executing_tool' });
  for await (const event of agent.host.execute(call, signal)) {
    switch (event.type) {
      case 'approval':
        onAsked(event);
        break;
      case 'decided':
        agent.emit(event);
        // Later calls do not run after a rejection or an expired approval.
        if (event.decision !== 'reject' && event.decision !== 'expired')
          agent.emit({ type: 'status', status: 'executing_tool' });
        break;
      case 'progress':
        agent.emit({ ...event, callId: call.id });
        break;
      case 'outcome':
        agent.emit({ ...event, call, text: conversation.addOutcome(event.outcome) ?? '' });
    }
  }
}

function toCall(agent: Agent, conversation: Conversation, { id, tool, args }: WantedCall): ToolCall {
  const { session } = agent.log;
  const call = { id, session, tool, args, dialect: 'agent' as const, profile: agent.profile.name };
  const attended = agent.isAttended || conversation.isAttended ? { attended: true as const } : {};
  return { ...call, turn: conversation.turn, ...agentField(agent), ...attended };
}

/** A call that is not run gets a result nevertheless: the model needs an answer to every call. */
async function refuse(
  agent: Agent,
  conversation: Conversation,
  call: ToolCall,
  error: { code: 'INVALID_ARGUMENTS' | 'CANCELLED'; message: string },
): Promise<void> {
  agent.emit({ type: 'call', call });
  const outcome = await agent.host.refuse(call, error);
  conversation.addOutcome(outcome);
  agent.emit({ type: 'outcome', call, outcome, text: error.message });
}

export async function cancelOpenCalls(agent: Agent, conversation: Conversation): Promise<void> {
  for (const modelCall of conversation.open)
    await refuse(agent, conversation, toCall(agent, conversation, modelCall), {
      code: 'CANCELLED',
      message: 'The turn ended before this call was made.',
    });
}

// Groups the calls of a reply: neighbouring readers run at once; neighbouring changes, or neighbouring commands, may be asked about
// together and run in order; everything else goes alone.

/** Lower than the number a host lets wait, so that none of a reply's hundreds of calls is refused for their number. */
const mostAtOnce = 16;

type Sort = 'reading' | 'change' | 'command' | 'other';
type Batch = { sort: Sort; calls: WantedCall[] };

const sorts: Record<HostTool['kind'], Sort> = {
  read: 'reading',
  search: 'reading',
  think: 'reading',
  edit: 'change',
  delete: 'change',
  move: 'change',
  execute: 'command',
  ask: 'other',
};

function batchesOf(calls: readonly WantedCall[], kinds: ReadonlyMap<string, HostTool['kind']>): Batch[] {
  const batches: Batch[] = [];
  for (const call of calls) {
    const kind = kinds.get(call.tool);
    const sort = kind === undefined || call.problem !== undefined ? 'other' : sorts[kind];
    const last = batches.at(-1);
    const isSame = sort !== 'other' && last?.sort === sort && last.calls.length < mostAtOnce;
    if (isSame) last.calls.push(call);
    else batches.push({ sort, calls: [call] });
  }
  return batches;
}
