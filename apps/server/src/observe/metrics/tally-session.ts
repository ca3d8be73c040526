// What one session adds to the counters, entry by entry.
import type { SessionEvent } from '@codelab/protocol';
import { type Counter, createCounter } from './counter.ts';
import type { createFewNames } from './few-names.ts';
import { createHistogram, type Histogram, quickBounds, slowBounds } from './histogram.ts';

export type Counts = {
  calls: Counter;
  callSeconds: Histogram;
  decisions: Counter;
  approvalSeconds: Histogram;
  turns: Counter;
  turnSeconds: Histogram;
  replies: Counter;
  tokens: Counter;
  replySeconds: Histogram;
};

/** Where a session stands: what has begun in it and not ended. */
export type Standing = {
  seq: number;
  /** Approvals by their call. */
  waiting: Map<string, { since: number; deadline: number }>;
  started: Map<string, number>;
  /** Turns, and of each agent when it last had what its model needs to go on. */
  turns: Map<string, number>;
  ready: Map<string, number>;
};

export type Named = { tool: string; kind: string };

export function createCounts(): Counts {
  return {
    calls: createCounter(),
    callSeconds: createHistogram(quickBounds),
    decisions: createCounter(),
    approvalSeconds: createHistogram(slowBounds),
    turns: createCounter(),
    turnSeconds: createHistogram(slowBounds),
    replies: createCounter(),
    tokens: createCounter(),
    replySeconds: createHistogram(slowBounds),
  };
}

export function newStanding(): Standing {
  return { seq: 0, waiting: new Map(), started: new Map(), turns: new Map(), ready: new Map() };
}

/** `count` is false for entries from before the counters began: they only say where the session stands. */
export type Tallying = {
  counts: Counts;
  count: boolean;
  nameOf(tool: string): Named;
  modelName: ReturnType<typeof createFewNames>;
};

export function tallyEvent(at: Standing, event: SessionEvent, tallying: Tallying): void {
  const { counts, count, nameOf } = tallying;
  const { body, time } = event;
  at.seq = event.seq;
  switch (body.type) {
    case 'approval.requested':
      at.waiting.set(body.callId, { since: time, deadline: body.approval.deadline });
      return;
    case 'approval.decided':
    case 'approval.expired': {
      const since = at.waiting.get(body.callId)?.since;
      at.waiting.delete(body.callId);
      if (!count) return;
      counts.decisions.add({ decision: body.type === 'approval.decided' ? body.decision.kind : 'expired' });
      if (since !== undefined) counts.approvalSeconds.observe((time - since) / 1000);
      return;
    }
    case 'call.started':
      at.started.set(body.callId, time);
      return;
    case 'call.finished': {
      const { tool, kind } = nameOf(body.outcome.tool);
      const { status, durationMs } = body.outcome;
      const started = at.started.get(body.callId);
      at.waiting.delete(body.callId);
      at.started.delete(body.callId);
      for (const agent of at.ready.keys()) at.ready.set(agent, time);
      if (!count) return;
      counts.calls.add({ tool, kind, status });
      if (status !== 'rejected' && status !== 'expired')
        counts.callSeconds.observe((started === undefined ? durationMs : time - started) / 1000, { kind });
      return;
    }
    default:
      tallyTalk(at, event, tallying);
  }
}

function tallyTalk(at: Standing, { body, time }: SessionEvent, { counts, count, modelName }: Tallying): void {
  switch (body.type) {
    case 'turn.started':
      at.turns.set(keyOf(body), time);
      at.ready.set(keyOf(body), time);
      return;
    case 'context.compacted':
      at.ready.set(keyOf(body), time);
      return;
    case 'model.replied': {
      const since = at.ready.get(keyOf(body));
      at.ready.set(keyOf(body), time);
      if (!count) return;
      const { usage } = body.reply;
      const model = modelName(body.reply.model);
      counts.replies.add({ model });
      counts.tokens.add({ model, direction: 'input' }, usage.inputTokens);
      counts.tokens.add({ model, direction: 'output' }, usage.outputTokens);
      counts.tokens.add({ model, direction: 'cached' }, usage.cachedTokens ?? 0);
      if (since !== undefined) counts.replySeconds.observe((time - since) / 1000, { model });
      return;
    }
    case 'turn.ended': {
      const since = at.turns.get(keyOf(body));
      at.turns.delete(keyOf(body));
      at.ready.delete(keyOf(body));
      // What a sub-agent does is part of the turn above it.
      if (!count || body.agent !== undefined) return;
      counts.turns.add({ end: body.end });
      if (since !== undefined) counts.turnSeconds.observe((time - since) / 1000);
      return;
    }
    default:
      return;
  }
}

function keyOf({ turn, agent = '' }: { turn: number; agent?: string | undefined }): string {
  return `${turn} ${agent}`;
}
