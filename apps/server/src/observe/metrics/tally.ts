// Counts calls, turns and pending approvals from the log, reading only entries that are new since the last time.

import { hasExpired, type SessionEvent } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { logPages } from '../../log/entries.ts';
import {
  type Counter,
  createCounter,
  createFewNames,
  createHistogram,
  type Histogram,
  quickBounds,
  slowBounds,
} from './metric.ts';

export type MetricTotals = { counts: Counts; waiting: number; turnsOpen: number; sessions: number };

type Tally = { read(): Promise<MetricTotals> };

export function createMetricsTally(host: Host, startedAt: number): Tally {
  const counts = createCounts();
  const standingOf = new Map<string, Standing>();
  const tallying = { counts, nameOf: (tool: string) => nameOf(host, tool), modelName: createFewNames() };

  async function readOn(id: string, state: Standing): Promise<void> {
    for await (const page of logPages(host.log, id, state.seq))
      for (const event of page) tallyEvent(state, event, { ...tallying, count: event.time >= startedAt });
  }

  let askingSessions: ReadonlySet<string> | undefined;
  async function read(): Promise<MetricTotals> {
    const summaries = await host.log.sessions();
    // A session that was idle for longer than an approval may wait is skipped, unless one of its questions to a person is open.
    askingSessions ??= new Set(await host.log.asking());
    const from = startedAt - host.limits('codelab').approvalMs;
    for (const { id, head, lastAt } of summaries) {
      const state = standingOf.get(id) ?? newStanding();
      if (head.seq <= state.seq || (lastAt < from && !askingSessions.has(id))) continue;
      standingOf.set(id, state);
      await readOn(id, state);
    }
    const presentIds = new Set(summaries.map(({ id }) => id));
    for (const id of standingOf.keys()) if (!presentIds.has(id)) standingOf.delete(id);
    const standings = [...standingOf.values()];
    const approvals = standings.flatMap(({ waiting }) => [...waiting.values()]);
    return {
      counts,
      waiting: approvals.filter((approval) => !hasExpired(approval)).length,
      turnsOpen: standings.reduce((sum, { turns }) => sum + turns.size, 0),
      sessions: summaries.length,
    };
  }

  let turn: Promise<unknown> = Promise.resolve();
  return {
    // One read after the other: two concurrent reads would count the same entries twice.
    read() {
      const next = turn.then(read);
      turn = next.catch(() => undefined);
      return next;
    },
  };
}

// A model may ask for any name; the tools there are, are few.
function nameOf({ tools, foreign }: Host, name: string): Named {
  const tool = tools.get(name);
  if (tool !== undefined) return { tool: name, kind: tool.kind };
  const isForeign = foreign !== undefined && name.startsWith('mcp:');
  return isForeign ? { tool: 'foreign', kind: foreign.kind } : { tool: 'other', kind: 'none' };
}

/** The counters of one session, updated entry by entry. */
type Counts = {
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

/** The state of a session: everything that has begun and not ended. */
type Standing = {
  seq: number;
  /** Approvals by their call. */
  waiting: Map<string, { since: number; deadline: number | undefined }>;
  started: Map<string, number>;
  /** The open turns, and for each agent the time since when its model could continue. */
  turns: Map<string, number>;
  ready: Map<string, number>;
};

type Named = { tool: string; kind: string };

function createCounts(): Counts {
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

function newStanding(): Standing {
  return { seq: 0, waiting: new Map(), started: new Map(), turns: new Map(), ready: new Map() };
}

/** `count` is false for entries from before the counters began: they only establish the state of the session. */
type Tallying = {
  counts: Counts;
  count: boolean;
  nameOf(tool: string): Named;
  modelName: ReturnType<typeof createFewNames>;
};

function tallyEvent(at: Standing, event: SessionEvent, tallying: Tallying): void {
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
      // A sub-agent's work is part of the turn above it.
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
