// For any calls of any sessions, arriving, ending and being cancelled in any order: nobody waits without a reason, nobody waits for
// ever, and no two calls that conflict run at once.
import { setImmediate as settled } from 'node:timers/promises';
import type { Touch } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallDemand, conflict, type Lane } from './scheduled-call.ts';
import { createScheduler, type SchedulerLimits } from './scheduler.ts';

const paths = ['.', 'a', 'a/b', 'a/b/c', 'd', 'd/e'];
const touch = fc.record({
  path: fc.constantFrom(...paths),
  access: fc.constantFrom<Touch['access'][]>('read', 'write', 'delete'),
});
const demand: fc.Arbitrary<CallDemand> = fc
  .record({
    lane: fc.constantFrom<Lane[]>('read', 'change', 'command'),
    session: fc.constantFrom('s1', 's2', 's3', 's4'),
    touches: fc.array(touch, { maxLength: 3 }),
  })
  .map(({ lane, session, touches }) => ({
    lane,
    session,
    owner: session < 's3' ? 'ann' : 'bob',
    touches: touches.map(({ path, access }) => ({
      asked: path,
      path,
      access: lane === 'read' ? 'read' : access,
    })),
    changes: lane !== 'read',
  }));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), wish: demand }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }) },
);
const limits: fc.Arbitrary<SchedulerLimits> = fc.record({
  session: fc.integer({ min: 1, max: 3 }),
  read: fc.integer({ min: 1, max: 5 }),
  change: fc.integer({ min: 1, max: 4 }),
  command: fc.integer({ min: 1, max: 4 }),
});

type Seen = CallDemand & { state: 'waiting' | 'running' | 'over'; end(): void; cancel(): void };

test('no call waits but for one it conflicts with, or for its share', async () => {
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 40 }), async (schedulerLimits, steps) => {
      const scheduler = createScheduler(schedulerLimits);
      const all: Seen[] = [];
      const inState = (state: Seen['state']): Seen[] => all.filter((call) => call.state === state);
      function add(callDemand: CallDemand): void {
        const stop = new AbortController();
        const ending = Promise.withResolvers<void>();
        const call: Seen = {
          ...callDemand,
          state: 'waiting',
          end: ending.resolve,
          cancel: () => stop.abort(),
        };
        all.push(call);
        const work = (): Promise<void> => {
          call.state = 'running';
          return ending.promise;
        };
        const markOver = (): void => {
          call.state = 'over';
        };
        scheduler.run(callDemand, work, stop.signal).then(markOver, markOver);
      }
      function check(): void {
        const running = inState('running');
        for (const [i, call] of running.entries())
          for (const other of running.slice(i + 1)) expect(conflict(call, other)).toBe(false);
        for (const call of inState('waiting')) {
          const earlier = all.slice(0, all.indexOf(call)).filter(({ state }) => state !== 'over');
          const inLane = running.filter(({ lane }) => lane === call.lane);
          const ofSession = inLane.filter(({ session }) => session === call.session);
          const isJustified =
            earlier.some((other) => conflict(other, call)) ||
            ofSession.length >= schedulerLimits.session ||
            inLane.length >= schedulerLimits[call.lane];
          expect(isJustified).toBe(true);
        }
        for (const lane of ['read', 'change', 'command'] as const)
          expect(running.filter((call) => call.lane === lane).length).toBeLessThanOrEqual(
            schedulerLimits[lane],
          );
      }
      for (const nextStep of steps) {
        if (nextStep.do === 'add') add(nextStep.wish);
        else {
          const candidates = inState(nextStep.do === 'end' ? 'running' : 'waiting');
          candidates[nextStep.which % Math.max(candidates.length, 1)]?.[nextStep.do]();
        }
        await settled();
        check();
      }
      // Each remaining call gets its turn when the calls before it have ended.
      for (let i = 0; i <= all.length && inState('running').length > 0; i++) {
        for (const call of inState('running')) call.end();
        await settled();
        check();
      }
      expect(inState('waiting')).toEqual([]);
      const states = Object.values(scheduler.state());
      expect(states.every(({ running, waiting }) => running === 0 && waiting === 0)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('whoever asks for more gets no more than others, however many sessions they have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 20 }),
      async (command, many) => {
        const scheduler = createScheduler({ session: 3, read: 1, change: 1, command });
        const order: string[] = [];
        const add = (owner: string, session: string): Promise<void> =>
          scheduler.run(
            { lane: 'command', session, owner, touches: [], changes: true },
            async () => {
              order.push(owner);
              await settled();
            },
            new AbortController().signal,
          );
        const all = Array.from({ length: many * 3 }, (_, i) => add('greedy', `g${i % many}`));
        all.push(...Array.from({ length: 3 }, () => add('modest', 'm')));
        await Promise.all(all);
        // While both want places, one of two goes to each of them; those that ran already when the other came are not taken away.
        const last = order.lastIndexOf('modest');
        expect(last).toBeLessThanOrEqual(command + 3 * 2);
      },
    ),
    { numRuns: 60 },
  );
});
