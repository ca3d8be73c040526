// A listener's queue: however signals arrive and however slowly they are read, it delivers the log complete and in order.
import type { EventBody, SessionMessage } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charsIn, createSubscriptionQueue, deltaOf, type Waiting } from './subscription-queue.ts';

const limits = { events: 5, signals: 4, weight: 400 };

type Kind = 'entry' | 'reply' | 'text' | 'reasoning' | 'status' | 'notice' | 'progress' | 'take';
type Step = { kind: Kind; chars: number };

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('entry', 'reply', 'text', 'reasoning', 'status', 'notice', 'progress', 'take'),
  chars: fc.integer({ min: 0, max: 300 }),
});

/** The text identifies the step, so that a delivered message can be matched with its origin. */
function heardAt(n: number, { kind, chars }: Step, seq: number): SessionMessage {
  const text = `<${n}>${'x'.repeat(chars)}`;
  const entry = (body: EventBody): SessionMessage => ({
    type: 'event',
    event: { session: 's', seq, time: 0, hash: '', body },
  });
  switch (kind) {
    case 'entry':
      return entry({ type: 'session.titled', title: text });
    case 'reply': {
      const usage = { inputTokens: 1, outputTokens: 1 };
      return entry({
        type: 'model.replied',
        turn: 1,
        reply: { model: 'm', text, calls: [], usage, stop: 'end' },
      });
    }
    case 'text':
    case 'reasoning':
      return { type: 'signal', signal: { type: kind, delta: text } };
    case 'progress':
      return { type: 'signal', signal: { type: 'progress', callId: 'c', progress: { stdout: text } } };
    case 'status':
      return { type: 'signal', signal: { type: 'decided', decision: 'approve', approvalId: text } };
    default:
      return { type: 'notice', text };
  }
}

const stepsIn = (waiting: Waiting): number[] =>
  [...JSON.stringify(waiting).matchAll(/<(\d+)>/g)].map((match) => Number(match[1]));

/** Plays the steps with a reader that reads only when a step says so. */
function play(steps: readonly Step[]): {
  log: SessionMessage[];
  delivered: SessionMessage[];
  remaining: Waiting[];
} {
  const queue = createSubscriptionQueue(limits);
  const log: SessionMessage[] = [];
  const delivered: SessionMessage[] = [];
  let last = 0;
  const take = (): Waiting | undefined => {
    const next = queue.take();
    const messages = next?.type === 'log' ? log.slice(last, next.through) : next === undefined ? [] : [next];
    for (const message of messages) if (message.type === 'event') last = message.event.seq;
    delivered.push(...messages);
    return next;
  };
  for (const [n, step] of steps.entries()) {
    if (step.kind === 'take') take();
    else {
      const message = heardAt(n, step, log.length + 1);
      if (message.type === 'event') log.push(message);
      queue.add(message, () => charsIn(message));
    }
  }
  const remaining: Waiting[] = [];
  for (let next = take(); next !== undefined; next = take()) remaining.push(next);
  return { log, delivered, remaining };
}

const law = (check: (steps: Step[]) => void): void =>
  fc.assert(fc.property(fc.array(anyStep, { maxLength: 120 }), check), { numRuns: 500 });

test('law: every entry of the log is told once and in order, and what passes is told where it was said', () => {
  law((steps) => {
    const { log, delivered } = play(steps);
    expect(delivered.filter(({ type }) => type === 'event')).toEqual(log);
    const order = delivered.flatMap(stepsIn);
    expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
  });
});

test('law: of what a model says a beginning is told, never something with a hole', () => {
  law((steps) => {
    const deliveredSteps = new Set(
      play(steps)
        .delivered.filter((message) => deltaOf(message) !== undefined)
        .flatMap(stepsIn),
    );
    let isCut = false;
    for (const [n, { kind }] of steps.entries()) {
      if (kind === 'reply') isCut = false;
      if (kind !== 'text' && kind !== 'reasoning') continue;
      expect(isCut && deliveredSteps.has(n)).toBe(false);
      isCut ||= !deliveredSteps.has(n);
    }
  });
});

test('law: what waits is bounded in number and in weight', () => {
  law((steps) => {
    const { remaining } = play(steps);
    expect(remaining.length).toBeLessThanOrEqual(limits.events + 2 * limits.signals + 1);
    const [, ...otherItems] = remaining.filter(({ type }) => type !== 'log');
    expect(otherItems.reduce((sum, item) => sum + charsIn(item), 0)).toBeLessThan(limits.weight + 400);
  });
});

test('who keeps up is told everything as it is', () => {
  const queue = createSubscriptionQueue(limits);
  for (let n = 0; n < 50; n++) {
    const message = heardAt(n, { kind: n % 2 === 0 ? 'entry' : 'progress', chars: 1000 }, n + 1);
    queue.add(message, () => charsIn(message));
    expect(queue.take()).toBe(message);
  }
});

test('how things stand is dropped last', () => {
  const queue = createSubscriptionQueue(limits);
  const status: SessionMessage = { type: 'signal', signal: { type: 'status', status: 'waiting_approval' } };
  queue.add(status, () => 1);
  for (let n = 0; n < 50; n++) queue.add(heardAt(n, { kind: 'progress', chars: 1 }, 0), () => 1);
  expect(queue.take()).toBe(status);
});
