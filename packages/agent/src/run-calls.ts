// Runs the calls of a reply: readers at once, everything else in order, and calls that need approval at the same time as a group.
import type { CallGroup, ToolCall, WantedCall } from '@codelab/protocol';
import { type Agent, agentField, type HostEvent, type HostTool } from './agent.ts';
import type { Conversation } from './conversation.ts';

/** Runs all calls of the last reply that have no result yet: neighbouring readers at once, everything else one after the other. */
export async function runCalls(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<void> {
  const { open } = talk;
  if (open.length === 0) return;
  const tools = await agent.host.tools(agent.profile.name, signal);
  const kinds = new Map(tools.map(({ name, kind }) => [name, kind]));
  for (const { sort, calls } of batchesOf(open, kinds)) {
    signal.throwIfAborted();
    if (sort === 'reading') await allOf(calls.map((wanted) => carryOutOne(agent, talk, { wanted }, signal)));
    else await carryOutInOrder(agent, talk, calls, signal);
  }
  signal.throwIfAborted();
}

/** One after the other; calls that can be asked about together are, and each runs when its turn has come. */
async function carryOutInOrder(
  agent: Agent,
  talk: Conversation,
  calls: readonly WantedCall[],
  signal: AbortSignal,
): Promise<void> {
  for (let rest = calls; rest.length > 0; ) {
    signal.throwIfAborted();
    const together =
      rest.length === 1
        ? 1
        : ((await agent.host.askedTogether?.(
            rest.map((wanted) => toCall(agent, talk, wanted)),
            signal,
          )) ?? 1);
    const [first] = rest;
    if (together > 1) await carryOutGroup(agent, talk, rest.slice(0, together), signal);
    else if (first !== undefined) await carryOutOne(agent, talk, { wanted: first }, signal);
    rest = rest.slice(Math.max(1, together));
  }
}

/**
 * Each call is asked about before the next one begins, so that the approvals are in order; listeners get them when all have been asked.
 */
async function carryOutGroup(
  agent: Agent,
  talk: Conversation,
  calls: readonly WantedCall[],
  signal: AbortSignal,
): Promise<void> {
  const approvals: ApprovalEvent[] = [];
  let isPut = false;
  const put = (event: ApprovalEvent): void => {
    if (isPut) tellAsked(agent, event);
    else approvals.push(event);
  };
  const running: Promise<void>[] = [];
  for (const [i, wanted] of calls.entries()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = { id: calls[0]?.id ?? wanted.id, index: i + 1, size: calls.length };
    const onAsked = (event: ApprovalEvent): void => {
      put(event);
      resolve();
    };
    const work = carryOutOne(agent, talk, { wanted, group, onAsked }, signal);
    work.then(resolve, resolve);
    running.push(work);
    await promise;
  }
  isPut = true;
  for (const event of approvals) tellAsked(agent, event);
  await allOf(running);
}

/** Waits for all of them, also when one fails: no call runs on after the turn has ended. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

type ApprovalEvent = Extract<HostEvent, { type: 'approval' }>;
type Carried = { wanted: WantedCall; group?: CallGroup; onAsked?(event: ApprovalEvent): void };

function tellAsked(agent: Agent, event: ApprovalEvent): void {
  agent.emit({ type: 'status', status: 'waiting_approval' });
  agent.emit(event);
}

async function carryOutOne(
  agent: Agent,
  talk: Conversation,
  { wanted, group, onAsked = (event) => tellAsked(agent, event) }: Carried,
  signal: AbortSignal,
): Promise<void> {
  const call = { ...toCall(agent, talk, wanted), ...(group && { group }) };
  if (wanted.problem !== undefined)
    return await refuse(agent, talk, call, { code: 'INVALID_ARGUMENTS', message: wanted.problem });
  agent.emit({ type: 'call', call });
  agent.emit({ type: 'status', status: 'executing_tool' });
  for await (const event of agent.host.execute(call, signal)) {
    switch (event.type) {
      case 'approval':
        onAsked(event);
        break;
      case 'decided':
        agent.emit(event);
        // Nothing runs after a rejection, or when nobody decided.
        if (event.decision !== 'reject' && event.decision !== 'expired')
          agent.emit({ type: 'status', status: 'executing_tool' });
        break;
      case 'progress':
        agent.emit({ ...event, callId: call.id });
        break;
      case 'outcome':
        agent.emit({ ...event, call, text: talk.addOutcome(event.outcome) ?? '' });
    }
  }
}

function toCall(agent: Agent, talk: Conversation, { id, tool, args }: WantedCall): ToolCall {
  const { session } = agent.log;
  const call = { id, session, tool, args, dialect: 'agent' as const, profile: agent.profile.name };
  const attended = agent.isAttended || talk.isAttended ? { attended: true as const } : {};
  return { ...call, turn: talk.turn, ...agentField(agent), ...attended };
}

/** A call that is not run has a result nevertheless: the model always gets an answer to its calls. */
async function refuse(
  agent: Agent,
  talk: Conversation,
  call: ToolCall,
  error: { code: 'INVALID_ARGUMENTS' | 'CANCELLED'; message: string },
): Promise<void> {
  agent.emit({ type: 'call', call });
  const outcome = await agent.host.refuse(call, error);
  talk.addOutcome(outcome);
  agent.emit({ type: 'outcome', call, outcome, text: error.message });
}

export async function cancelOpenCalls(agent: Agent, talk: Conversation): Promise<void> {
  for (const wanted of talk.open)
    await refuse(agent, talk, toCall(agent, talk, wanted), {
      code: 'CANCELLED',
      message: 'The turn ended before this call was made.',
    });
}

// Groups the calls of a reply: neighbouring readers run at once; neighbouring changes, or neighbouring commands, may be asked about
// together and run in order; everything else goes alone.

/** Fewer than a host lets wait, so that none of a reply's hundreds of calls is refused for their number. */
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
