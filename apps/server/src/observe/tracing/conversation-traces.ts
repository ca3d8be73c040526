// The turns of one session as spans: the turn, below it each reply of its model, and the sub-agents its calls started.
import type { EventBody, SessionEvent, ToolCall } from '@codelab/protocol';
import { childId, type SpanSink, type Trace, type TraceSpan, traceOf } from './span.ts';

type SpanContext = { sink: SpanSink; cause: string | undefined };

export type ConversationTraces = {
  apply(event: SessionEvent, context: SpanContext): void;
  /** The trace of a running turn. */
  find(turn: number | undefined): Trace | undefined;
  /** The end of a call completes the input for the model's next reply. */
  callEnded(call: ToolCall, at: number): void;
  /** No turn is running. */
  readonly isQuiet: boolean;
};

/** One agent within a turn: the session's own, or one that a call started. */
type Speaker = {
  model: string;
  profile: string;
  startedAt: number;
  /** Since when the input for the next reply is complete. */
  readyAt: number;
  inputTokens: number;
  outputTokens: number;
  replies: number;
  calls: number;
};

type Turn = { trace: Trace; cause: string | undefined; speakers: Map<string, Speaker> };
type TurnEvent = Extract<EventBody, { turn: number; agent?: string | undefined }>;

export function createConversationTraces(session: string): ConversationTraces {
  const turns = new Map<number, Turn>();
  return {
    find: (turn) => (turn === undefined ? undefined : turns.get(turn)?.trace),
    callEnded({ turn, agent = '' }, at) {
      const speaker = turn === undefined ? undefined : turns.get(turn)?.speakers.get(agent);
      if (speaker === undefined) return;
      speaker.readyAt = Math.max(speaker.readyAt, at);
      speaker.calls++;
    },
    get isQuiet() {
      return turns.size === 0;
    },
    apply(event, context) {
      const { body, time, hash } = event;
      if (body.type === 'turn.started') {
        if (body.agent === undefined)
          turns.set(body.turn, { trace: traceOf(hash), cause: context.cause, speakers: new Map() });
        turns.get(body.turn)?.speakers.set(body.agent ?? '', newSpeaker(body, time));
      }
      if (body.type !== 'model.replied' && body.type !== 'context.compacted' && body.type !== 'turn.ended')
        return;
      const turn = turns.get(body.turn);
      const speaker = turn?.speakers.get(body.agent ?? '');
      if (turn === undefined || speaker === undefined) return;
      const span = spanOf({ session, turn, speaker }, event, body);
      if (span !== undefined) context.sink(span);
      if (body.type !== 'turn.ended') return;
      turn.speakers.delete(body.agent ?? '');
      if (body.agent === undefined) turns.delete(body.turn);
    },
  };
}

function newSpeaker({ model, profile }: { model: string; profile: string }, time: number): Speaker {
  const none = { inputTokens: 0, outputTokens: 0, replies: 0, calls: 0 };
  return { model, profile, startedAt: time, readyAt: time, ...none };
}

type SpeechContext = { session: string; turn: Turn; speaker: Speaker };

function spanOf(context: SpeechContext, { seq, time }: SessionEvent, body: TurnEvent): TraceSpan | undefined {
  const { trace } = context.turn;
  const { speaker } = context;
  const ownSpanId = body.agent === undefined ? trace.spanId : childId(trace, 'agent', body.agent);
  if (body.type === 'turn.ended') return ended(context, body, { spanId: ownSpanId, time });
  const spanId = childId(trace, 'entry', seq);
  const placed = { traceId: trace.traceId, spanId, parentId: ownSpanId, start: speaker.readyAt, end: time };
  speaker.readyAt = time;
  if (body.type === 'context.compacted')
    return { name: 'compact', ...placed, attributes: { 'codelab.compacted_by': body.by } };
  if (body.type !== 'model.replied') return undefined;
  const { usage, calls, stop, model } = body.reply;
  speaker.replies++;
  speaker.inputTokens += usage.inputTokens;
  speaker.outputTokens += usage.outputTokens;
  return {
    name: 'model reply',
    ...placed,
    attributes: {
      'gen_ai.request.model': speaker.model,
      'gen_ai.response.model': model,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'codelab.stop': stop,
      'codelab.calls': calls.length,
    },
  };
}

function ended(
  { session, turn, speaker }: SpeechContext,
  body: Extract<TurnEvent, { type: 'turn.ended' }>,
  { spanId, time }: { spanId: string; time: number },
): TraceSpan {
  const { agent, end } = body;
  return {
    name: agent === undefined ? 'turn' : 'agent',
    traceId: turn.trace.traceId,
    spanId,
    ...(agent !== undefined && { parentId: childId(turn.trace, 'call', agent) }),
    start: speaker.startedAt,
    end: time,
    ...(end === 'failed' && { isError: true }),
    ...(agent === undefined && turn.cause !== undefined && { cause: turn.cause }),
    attributes: {
      'codelab.session': session,
      'codelab.turn': body.turn,
      'codelab.model': speaker.model,
      'codelab.profile': speaker.profile,
      'codelab.end': end,
      'codelab.replies': speaker.replies,
      'codelab.calls': speaker.calls,
      'gen_ai.usage.input_tokens': speaker.inputTokens,
      'gen_ai.usage.output_tokens': speaker.outputTokens,
    },
  };
}
