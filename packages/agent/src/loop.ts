// The loop: sends a user's message to the model, runs the calls of its reply, and sends their results back, until a reply has no calls.
import {
  type Actor,
  cancelledBy,
  type ImagePart,
  type Reply,
  type TurnEnd,
  Unanswered,
} from '@codelab/protocol';
import { type Agent, agentField, recordEvents } from './agent.ts';
import { askModel, recordPartialReply } from './ask-model.ts';
import type { Conversation } from './conversation.ts';
import { cancelOpenCalls, runCalls } from './run-calls.ts';
import {
  continuationLimits,
  endByRepeats,
  endByReply,
  maxContinuations,
  type TurnEnding,
  turnFailure,
  unfinishedReason,
} from './turn-end.ts';

const defaultSteps = 128;

/** For a sub-agent `turn` is that of the agent above: both work in one turn. `by` is the author of the message. */
export type TurnInput = {
  text: string;
  files?: { path: string; text: string }[];
  images?: ImagePart[];
  turn?: number;
  by?: Actor;
  /** The id of the message. */
  message?: string;
  /** The turn has no new message: the model continues where the turn before stopped. */
  again?: true;
  /** Called when the turn is recorded; throws when it must not begin any more. */
  check?(): void;
};
export type TurnResult = { turn: number; end: TurnEnd; text: string; message?: string };

export async function runTurn(
  agent: Agent,
  conversation: Conversation,
  { text, files, images, turn, by, message, again, check }: TurnInput,
  signal: AbortSignal,
): Promise<TurnResult> {
  using _held = await hold(agent);
  await catchUp(agent, conversation);
  if (conversation.isTurnOpen) await giveUpTurn(agent, conversation);
  const { model, profile } = agent;
  const input = {
    turn: turn ?? conversation.turn + 1,
    text,
    ...(files && { files }),
    ...(images && { images }),
  };
  const origin = { ...(by && { by }), ...(agent.isAttended && { attended: true as const }) };
  const messageRef = { ...(message && { message }), ...(again && { again }) };
  const body = { ...input, ...messageRef, model: model.name, profile: profile.name, ...origin };
  const events = await agent.log.recordIf(() => {
    check?.();
    return [{ type: 'turn.started', ...body, ...agentField(agent) }];
  });
  for (const event of events) conversation.apply(event);
  return await toTheEnd(agent, conversation, signal);
}

/** Continues a turn that began in this process or in one that has ended. */
export async function finishTurn(
  agent: Agent,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<TurnResult> {
  using _held = await hold(agent);
  await catchUp(agent, conversation);
  if (conversation.isTurnOpen) {
    await recordPartialReply(agent, conversation);
    return await toTheEnd(agent, conversation, signal);
  }
  const text = lastWord(conversation)?.text ?? '';
  agent.emit({ type: 'status', status: 'idle' });
  return { turn: conversation.turn, end: 'completed', text };
}

/** A sub-agent works within the turn of the agent above it. */
async function hold({ id, log }: Agent): Promise<Disposable | undefined> {
  return id === undefined ? await log.hold() : undefined;
}

/** The session may have been continued by another process meanwhile. */
async function catchUp({ id, log }: Agent, conversation: Conversation): Promise<void> {
  if (id === undefined) for (const event of await log.news()) conversation.apply(event);
}

async function giveUpTurn(agent: Agent, conversation: Conversation): Promise<void> {
  await recordPartialReply(agent, conversation);
  await cancelOpenCalls(agent, conversation);
  const message = 'The turn was cut off, and another turn followed.';
  await recordEvents(agent, conversation, {
    type: 'turn.ended',
    turn: conversation.turn,
    end: 'cancelled',
    message,
  });
}

async function toTheEnd(agent: Agent, conversation: Conversation, signal: AbortSignal): Promise<TurnResult> {
  const { end, text, message, code, reason } = await goOn(agent, conversation, signal);
  const by = end === 'cancelled' ? cancelledBy(signal) : undefined;
  const { turn } = conversation;
  const messageField = message === undefined ? {} : { message };
  const cause = { ...(code && { code }), ...(reason && { reason }), ...(by && { by }) };
  // A call without an answer stays open: continuing the turn asks again.
  if (end !== 'unanswered')
    await recordEvents(agent, conversation, {
      type: 'turn.ended',
      turn,
      end,
      ...messageField,
      ...cause,
      ...agentField(agent),
    });
  agent.emit({ type: 'status', status: end === 'failed' ? 'error' : 'idle' });
  agent.emit({ type: 'ended', turn, end, ...messageField });
  return { turn, end, text, ...messageField };
}

async function goOn(agent: Agent, conversation: Conversation, signal: AbortSignal): Promise<TurnEnding> {
  const maxSteps = agent.profile.steps ?? defaultSteps;
  const continued = { length: 0, paused: 0, empty: 0, uncalled: 0 };
  let text = '';
  let latest = '';
  try {
    await runCalls(agent, conversation, signal);
    const lastReply = lastWord(conversation);
    if (lastReply !== undefined) return endByReply(lastReply, retell(agent, lastReply));
    for (let step = 0; step < maxSteps; step++) {
      signal.throwIfAborted();
      const stop = agent.limit?.();
      if (stop !== undefined) return { ...stop, text: text || latest };
      for (const event of (await agent.takeSteering?.(conversation.turn)) ?? []) conversation.apply(event);
      const reply = await askModel(agent, conversation, signal);
      text += reply.text;
      latest = reply.text.trim() === '' ? latest : reply.text;
      if (reply.calls.length > 0) {
        await runCalls(agent, conversation, signal);
        if (conversation.stuck !== undefined) return endByRepeats(conversation.stuck, text || latest);
        text = '';
        continue;
      }
      const unfinished = unfinishedReason(reply);
      if (unfinished === undefined) return endByReply(reply, text);
      if (++continued[unfinished] > maxContinuations[unfinished])
        return { text, ...continuationLimits[unfinished] };
    }
    return {
      end: 'step_limit',
      text: text || latest,
      message: `The limit of ${maxSteps} steps was reached.`,
    };
  } catch (error) {
    const partial = text || latest;
    if (error instanceof Unanswered) return { end: 'unanswered', text: partial, message: error.message };
    await cancelOpenCalls(agent, conversation);
    if (signal.aborted) return { end: 'cancelled', text: partial, message: 'The turn was cancelled.' };
    return { end: 'failed', text: partial, ...turnFailure(error) };
  }
}

/** The reply that ends a turn, if it is the last message. */
function lastWord({ messages }: Conversation): Reply | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.reply.calls.length > 0) return undefined;
  return unfinishedReason(last.reply) === undefined ? last.reply : undefined;
}

/** The listeners of the first time are gone, so the reply is emitted again. */
function retell(agent: Agent, reply: Reply): string {
  if (reply.text !== '') agent.emit({ type: 'text', delta: reply.text });
  agent.emit({ type: 'reply', reply });
  return reply.text;
}
