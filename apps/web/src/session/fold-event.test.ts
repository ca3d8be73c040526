import type { EventBody, SessionEvent } from '@codelab/protocol';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldEvent } from './fold-event.ts';
import { foldFrame } from './fold-frame.ts';
import type { SessionModel } from './session-model.ts';
import { emptySession } from './session-store.ts';

const session = 's1';
const reply = (text: string, more: object = {}) => ({
  model: 'm',
  text,
  calls: [],
  usage: { inputTokens: 10, outputTokens: 2 },
  stop: 'end' as const,
  ...more,
});
const call = {
  id: 'c1',
  session,
  tool: 'write_file',
  args: { path: 'a' },
  dialect: 'codelab' as const,
  turn: 1,
};
const plan = {
  summary: 'Change a',
  risk: 'low' as const,
  riskReason: 'small',
  touches: [],
  notes: [],
  basis: [],
};
const verdict = {
  verdict: 'ask' as const,
  risk: 'low' as const,
  rule: 'default:edit',
  layer: 'built-in' as const,
  reason: 'edits are asked',
  parts: [],
};
const approval = {
  id: 'a1',
  callId: 'c1',
  session,
  tool: 'write_file',
  kind: 'edit' as const,
  args: call.args,
  plan,
  verdict,
  binding: 'b',
  requestedAt: 1,
  deadline: 2,
};
const outcome = {
  callId: 'c1',
  tool: 'write_file',
  startedAt: 5,
  durationMs: 3,
  effects: [],
  status: 'completed' as const,
  data: {},
};
const by = { who: 'ann', via: 'web' };

function fold(bodies: readonly EventBody[], model = emptySession(session)): SessionModel {
  for (const event of eventsOf(bodies, model.lastSeq)) foldEvent(model, event);
  return model;
}

function eventsOf(bodies: readonly EventBody[], from = 0): SessionEvent[] {
  return bodies.map((body, at) => ({ session, seq: from + at + 1, time: 1000 + at, hash: 'h', body }));
}

const turn: EventBody[] = [
  { type: 'session.opened', workspace: '/w' },
  { type: 'turn.started', turn: 1, text: 'Do it', model: 'm', profile: 'build' },
  { type: 'model.replied', turn: 1, reply: reply('I will.') },
  { type: 'call.received', call },
  { type: 'call.planned', callId: 'c1', plan, verdict },
  { type: 'approval.requested', callId: 'c1', approval },
  { type: 'approval.decided', callId: 'c1', approvalId: 'a1', decision: { kind: 'approve' }, by },
  {
    type: 'call.started',
    callId: 'c1',
    owner: { host: 'h', pid: 1, startedAt: '' },
    args: {},
    intents: [],
    slot: 's',
  },
  { type: 'call.finished', callId: 'c1', outcome },
  { type: 'turn.ended', turn: 1, end: 'completed' },
];

describe('a session on the screen', () => {
  test('shows a whole turn in the order of the log', () => {
    const model = fold(turn);
    expect(model.entries.map(({ kind }) => kind)).toEqual(['user', 'said', 'call', 'ended']);
    expect(model.title).toBe('Do it');
    expect(model.status).toBe('idle');
    expect(model.totals).toEqual({ inputTokens: 10, outputTokens: 2, cost: 0, hasCost: false, unpriced: 1 });
    expect(model.calls.get('c1')).toMatchObject({
      state: 'completed',
      plan,
      verdict,
      decidedBy: by,
      outcome,
    });
    const question = { session, seq: 2 };
    const begun = { turn: 1, startedAt: 1001, startSeq: 2, question, tokens: 12, cost: 0 };
    const latest = { ...begun, endedAt: 1009, end: 'completed' };
    expect(model.turns).toEqual({ count: 1, ended: 1, lastEnded: 1, latest });
  });

  test('has an approval waiting from its question to its answer', () => {
    const waiting = fold(turn.slice(0, 6));
    expect(waiting.pending).toEqual([approval]);
    expect(waiting.status).toBe('waiting_approval');
    const answered = fold(turn.slice(6, 7), waiting);
    expect(answered.pending).toEqual([]);
    expect(answered.status).toBe('executing_tool');
  });

  test('stays stopped with an error when the page is loaded again and the gateway says that nothing runs', () => {
    const model = fold([...turn.slice(0, -1), { type: 'turn.ended', turn: 1, end: 'failed' }]);
    const info = {
      ...{ type: 'session_info' as const, session_id: session, agent_type: 'build' },
      ...{ role: 'approver', last_seq: 9 },
    };
    foldFrame(model, { ...info, status: 'idle' }, 0);
    expect(model.status).toBe('error');
    foldFrame(model, { ...info, status: 'thinking' }, 0);
    expect(model.status).toBe('thinking');
  });

  test('is the same however often entries come again', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: turn.length - 1 }), { maxLength: 8 }), (again) => {
        const once = fold(turn);
        const model = emptySession(session);
        const events = eventsOf(turn);
        events.forEach((event, at) => {
          foldEvent(model, event);
          // A reconnect may repeat anything that was there already.
          for (const earlier of again.filter((index) => index <= at))
            foldEvent(model, events[earlier] as SessionEvent);
        });
        expect(model).toEqual(once);
      }),
    );
  });

  test('keeps a value the same until an entry changes it', () => {
    const model = fold(turn.slice(0, 9));
    const before = model.calls.get('c1');
    const answer = model.entries[1];
    fold([{ type: 'turn.ended', turn: 1, end: 'completed' }], model);
    expect(model.calls.get('c1')).toBe(before);
    expect(model.entries[1]).toBe(answer);
  });

  test('shows what a sub-agent does inside the call that started it', () => {
    const inner = { ...call, id: 'c2', agent: 'c1' };
    const model = fold([
      ...turn.slice(0, 4),
      { type: 'turn.started', turn: 1, agent: 'c1', text: 'sub', model: 'm', profile: 'explore' },
      { type: 'model.replied', turn: 1, agent: 'c1', reply: reply('Looking.') },
      { type: 'call.received', call: inner },
      { type: 'turn.ended', turn: 1, agent: 'c1', end: 'completed' },
    ]);
    expect(model.entries.map(({ kind }) => kind)).toEqual(['user', 'said', 'call']);
    expect(model.calls.get('c1')?.inner).toEqual([
      { kind: 'said', key: 's6', text: 'Looking.' },
      { kind: 'call', key: 'cc2', callId: 'c2' },
    ]);
    expect(model.status).not.toBe('idle');
  });

  test('takes the todo list from whatever outcome holds one', () => {
    const items = [{ id: '1', content: 'x', status: 'pending', priority: 'high' }];
    const data = { session_id: session, items, count: 1, in_progress: 0 };
    const model = fold([
      ...turn.slice(0, 8),
      { type: 'call.finished', callId: 'c1', outcome: { ...outcome, data } },
    ]);
    expect(model.todos).toEqual(items);
  });
});

describe('what is told while it happens', () => {
  test('is void once the log has the reply', () => {
    const model = fold(turn.slice(0, 2));
    const tell = (delta: string): void =>
      foldFrame(model, { type: 'signal', signal: { type: 'text', delta } }, 0);
    tell('I ');
    tell('will.');
    expect(model.live).toEqual({ text: 'I will.', reasoning: '' });
    fold(turn.slice(2, 3), model);
    expect(model.live).toBeUndefined();
  });

  test('is thrown away when the model is asked again from the start', () => {
    const model = fold(turn.slice(0, 2));
    foldFrame(model, { type: 'signal', signal: { type: 'text', delta: 'half' } }, 0);
    const retry = { type: 'retry' as const, attempt: 2, afterMs: 1, reason: 'busy', discards: true };
    foldFrame(model, { type: 'signal', signal: retry }, 7);
    expect(model.live).toBeUndefined();
    expect(model.retry).toEqual({ attempt: 2, afterMs: 1, reason: 'busy', time: 7 });
  });

  test('bounds what a running command prints', () => {
    const model = fold(turn.slice(0, 8));
    const progress = { stdout: 'x'.repeat(20_000), stderr: '' };
    for (let i = 0; i < 5; i++)
      foldFrame(model, { type: 'signal', signal: { type: 'progress', callId: 'c1', progress } }, 0);
    expect(model.calls.get('c1')?.output).toHaveLength(32 * 1024);
  });
});

test('10,000 entries are folded within a second', () => {
  const many = Array.from({ length: 1000 }, (_, i): EventBody[] => {
    const id = `c${i}`;
    return turn.map((body): EventBody => {
      if (body.type === 'call.received') return { ...body, call: { ...call, id } };
      return 'callId' in body ? { ...body, callId: id } : body;
    });
  }).flat();
  const started = performance.now();
  const model = fold(many);
  expect(performance.now() - started).toBeLessThan(1000);
  expect(model.entries).toHaveLength(4000);
});
