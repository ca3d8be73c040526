// The loop: what the user says goes to the model, what the model wants is carried out, and what came of it goes back, until it wants no more.
import {
  type Actor,
  cancelledBy,
  type ImagePart,
  type Reply,
  type ToolCall,
  type TurnEnd,
  type WantedCall,
} from '@codelab/protocol';
import type { Agent } from './agent.ts';
import { askModel } from './ask-model.ts';
import { batchesOf } from './batches.ts';
import type { Conversation } from './conversation.ts';
import { from, record } from './record.ts';
import { type Ended, ended, failureOf, givenUp, mostContinued, stuckOn, unfinished } from './turn-end.ts';

const defaultSteps = 128;

/** `turn` is that of the agent above it, for a sub-agent: what both do is one turn. `by` is who said it. */
export type TurnInput = {
  text: string;
  files?: { path: string; text: string }[];
  images?: ImagePart[];
  turn?: number;
  by?: Actor;
};
export type TurnResult = { turn: number; end: TurnEnd; text: string; message?: string };

export async function runTurn(
  agent: Agent,
  talk: Conversation,
  { text, files, images, turn, by }: TurnInput,
  signal: AbortSignal,
): Promise<TurnResult> {
  using _held = await hold(agent);
  await catchUp(agent, talk);
  if (talk.isTurnOpen) await giveUpTurn(agent, talk);
  const { model, profile } = agent;
  const said = { turn: turn ?? talk.turn + 1, text, ...(files && { files }), ...(images && { images }) };
  const body = { ...said, model: model.name, profile: profile.name, ...(by && { by }) };
  await record(agent, talk, { type: 'turn.started', ...body, ...from(agent) });
  return await toTheEnd(agent, talk, signal);
}

/** Goes on with a turn that was begun, here or in a process that is gone. */
export async function finishTurn(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<TurnResult> {
  using _held = await hold(agent);
  await catchUp(agent, talk);
  if (talk.isTurnOpen) return await toTheEnd(agent, talk, signal);
  const text = lastWord(talk)?.text ?? '';
  agent.emit({ type: 'status', status: 'idle' });
  return { turn: talk.turn, end: 'completed', text };
}

// A sub-agent works within the turn of the agent above it.
async function hold({ id, log }: Agent): Promise<Disposable | undefined> {
  return id === undefined ? await log.hold() : undefined;
}

/** Another process may have gone on with the session since. */
async function catchUp({ id, log }: Agent, talk: Conversation): Promise<void> {
  if (id === undefined) for (const event of await log.news()) talk.apply(event);
}

async function giveUpTurn(agent: Agent, talk: Conversation): Promise<void> {
  await giveUpOpenCalls(agent, talk);
  const message = 'It was cut off, and another turn followed.';
  await record(agent, talk, { type: 'turn.ended', turn: talk.turn, end: 'cancelled', message });
}

async function toTheEnd(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<TurnResult> {
  const { end, text, message, code, reason } = await goOn(agent, talk, signal);
  const by = end === 'cancelled' ? cancelledBy(signal) : undefined;
  const { turn } = talk;
  const why = message === undefined ? {} : { message };
  const cause = { ...(code && { code }), ...(reason && { reason }) };
  await record(agent, talk, {
    type: 'turn.ended',
    turn,
    end,
    ...why,
    ...cause,
    ...(by && { by }),
    ...from(agent),
  });
  agent.emit({ type: 'status', status: end === 'failed' ? 'error' : 'idle' });
  agent.emit({ type: 'ended', turn, end, ...why });
  return { turn, end, text, ...why };
}

async function goOn(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<Ended> {
  const most = agent.profile.steps ?? defaultSteps;
  const continued = { length: 0, paused: 0, empty: 0, uncalled: 0 };
  let text = '';
  let latest = '';
  try {
    await carryOut(agent, talk, signal);
    const said = lastWord(talk);
    if (said !== undefined) return ended(said, retell(agent, said));
    for (let step = 0; step < most; step++) {
      signal.throwIfAborted();
      const stop = agent.limit?.();
      if (stop !== undefined) return { ...stop, text: text || latest };
      const reply = await askModel(agent, talk, signal);
      text += reply.text;
      latest = reply.text.trim() === '' ? latest : reply.text;
      if (reply.calls.length > 0) {
        await carryOut(agent, talk, signal);
        if (talk.stuck !== undefined) return stuckOn(talk.stuck, text || latest);
        text = '';
        continue;
      }
      const why = unfinished(reply);
      if (why === undefined) return ended(reply, text);
      if (++continued[why] > mostContinued[why]) return { text, ...givenUp[why] };
    }
    return { end: 'step_limit', text: text || latest, message: `The limit of ${most} steps was reached.` };
  } catch (error) {
    await giveUpOpenCalls(agent, talk);
    const said = text || latest;
    if (signal.aborted) return { end: 'cancelled', text: said, message: 'It was cancelled.' };
    return { end: 'failed', text: said, ...failureOf(error) };
  }
}

/** The reply that ends a turn, if that is where the conversation stands. */
function lastWord({ messages }: Conversation): Reply | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.reply.calls.length > 0) return undefined;
  return unfinished(last.reply) === undefined ? last.reply : undefined;
}

// Whoever listened when it was said is gone.
function retell(agent: Agent, reply: Reply): string {
  if (reply.text !== '') agent.emit({ type: 'text', delta: reply.text });
  agent.emit({ type: 'reply', reply });
  return reply.text;
}

/** All calls of the last reply that have no result yet: neighbouring readers at once, everything else one after the other. */
async function carryOut(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<void> {
  const { open } = talk;
  if (open.length === 0) return;
  const tools = await agent.host.tools(agent.profile.name, signal);
  const kinds = new Map(tools.map(({ name, kind }) => [name, kind]));
  for (const batch of batchesOf(open, kinds)) {
    signal.throwIfAborted();
    await Promise.all(batch.map((wanted) => carryOutOne(agent, talk, wanted, signal)));
  }
  signal.throwIfAborted();
}

async function carryOutOne(
  agent: Agent,
  talk: Conversation,
  wanted: WantedCall,
  signal: AbortSignal,
): Promise<void> {
  const call = toCall(agent, talk, wanted);
  if (wanted.problem !== undefined)
    return await refuse(agent, talk, call, { code: 'INVALID_ARGUMENTS', message: wanted.problem });
  agent.emit({ type: 'call', call });
  agent.emit({ type: 'status', status: 'executing_tool' });
  for await (const event of agent.host.execute(call, signal)) {
    switch (event.type) {
      case 'approval':
        agent.emit({ type: 'status', status: 'waiting_approval' });
        agent.emit(event);
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
  return { ...call, turn: talk.turn, ...from(agent) };
}

/** A call that is not carried out has a result all the same: a model is never left without an answer to what it asked. */
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

async function giveUpOpenCalls(agent: Agent, talk: Conversation): Promise<void> {
  for (const wanted of talk.open)
    await refuse(agent, talk, toCall(agent, talk, wanted), {
      code: 'CANCELLED',
      message: 'The turn ended before this call was made.',
    });
}
