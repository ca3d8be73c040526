import { setImmediate as settled } from 'node:timers/promises';
import type { Touch } from '@codelab/protocol';
import { expect, test } from 'vitest';
import type { CallDemand, Lane } from './scheduled-call.ts';
import { createScheduler, type Scheduler, type SchedulerLimits } from './scheduler.ts';

const never = new AbortController().signal;
const read = (path: string): Touch[] => [{ asked: path, path, access: 'read' }];
const write = (path: string): Touch[] => [{ asked: path, path, access: 'write' }];
const plenty: SchedulerLimits = { session: 3, read: 99, change: 99, command: 99 };

function laneOf(touches: readonly Touch[]): Lane {
  return touches.some(({ access }) => access !== 'read') ? 'change' : 'read';
}

/** Starts jobs that end only when told to, and tells which have started. */
function observe(scheduler: Scheduler) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, touches: Touch[], fields: Partial<CallDemand> = {}, signal = never) => {
    const lane = fields.lane ?? laneOf(touches);
    const demand = { session: 's', touches, changes: lane !== 'read', ...fields, lane };
    const work = () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    };
    return scheduler.run(demand, work, signal);
  };
  const end = async (...names: string[]): Promise<void> => {
    for (const name of names) ends.get(name)?.();
    await settled();
  };
  return { started, add, end };
}

test('three of a session run at once, the fourth waits and still reports', async () => {
  const { started, add, end } = observe(createScheduler(plenty));
  const jobs = ['a', 'b', 'c', 'd'].map((name) => add(name, read(name)));
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
  await end('b');
  expect(await jobs[1]).toBe('b');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  await end('a', 'c', 'd');
  expect(await Promise.all(jobs)).toEqual(['a', 'b', 'c', 'd']);
});

test('readers share a path; a writer has it and everything below it alone', async () => {
  const { started, add, end } = observe(createScheduler({ ...plenty, session: 9 }));
  void add('r1', read('src/a'));
  void add('r2', read('src/a'));
  void add('w1', write('src'));
  void add('r3', read('src/b'));
  void add('w2', write('srcs'));
  await settled();
  expect(started).toEqual(['r1', 'r2', 'w2']);
  await end('r1', 'r2');
  expect(started).toEqual(['r1', 'r2', 'w2', 'w1']);
  await end('w1');
  expect(started).toEqual(['r1', 'r2', 'w2', 'w1', 'r3']);
});

test('who lists a folder and who writes below it do not wait for each other', async () => {
  const { started, add } = observe(createScheduler(plenty));
  void add('list', read('.'));
  void add('edit', write('src/a'));
  void add('search', read('src'));
  await settled();
  expect(started).toEqual(['list', 'edit', 'search']);
});

test('reading and editing never wait for commands of others', async () => {
  const { started, add } = observe(createScheduler({ ...plenty, command: 1 }));
  void add('sleep', write('out'), { lane: 'command', session: 'a' });
  void add('read', read('out'), { session: 'b' });
  void add('edit', write('out'), { session: 'b' });
  await settled();
  expect(started).toEqual(['sleep', 'read']);
});

test('a session reads what its own command was to write after it', async () => {
  const { started, add, end } = observe(createScheduler(plenty));
  void add('make', write('out'), { lane: 'command' });
  void add('read', read('out'));
  void add('other', read('src'));
  await settled();
  expect(started).toEqual(['make', 'other']);
  await end('make');
  expect(started).toEqual(['make', 'other', 'read']);
});

test('a lane that is full is shared in turns: among people first, then among their sessions', async () => {
  const { started, add, end } = observe(createScheduler({ ...plenty, command: 2 }));
  const command = (name: string, session: string, owner: string) =>
    void add(name, [], { lane: 'command', session, owner });
  for (const name of ['x1', 'x2', 'x3', 'x4']) command(name, 'x', 'ann');
  command('y1', 'y', 'ann');
  command('z1', 'z', 'bob');
  await settled();
  expect(started).toEqual(['x1', 'x2']);
  await end('x1');
  // Bob has none running; then it is the turn of Ann's other session.
  expect(started.at(-1)).toBe('z1');
  await end('x2');
  expect(started.at(-1)).toBe('y1');
});

test('a cancelled wait frees its place, and what waited for it goes on', async () => {
  const { started, add, end } = observe(createScheduler(plenty));
  void add('a', write('x'));
  const stop = new AbortController();
  const second = add('b', write('x'), {}, stop.signal);
  void add('c', write('x'));
  stop.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  await end('a');
  expect(started).toEqual(['a', 'c']);
});

test('says how many run and wait in each lane', async () => {
  const scheduler = createScheduler({ ...plenty, command: 1 });
  const { add } = observe(scheduler);
  void add('a', [], { lane: 'command' });
  void add('b', [], { lane: 'command' });
  void add('c', read('x'));
  await settled();
  const { command, read: reading, change } = scheduler.state();
  expect(command).toMatchObject({ running: 1, waiting: 1 });
  expect([reading.running, change.running]).toEqual([1, 0]);
});

/** Whether a reader counts as late when it waited behind this job, which ends at once. */
async function isLateBehind(touches: Touch[], changes: boolean): Promise<boolean> {
  const scheduler = createScheduler({ ...plenty, session: 1 });
  const demand = { lane: 'read', session: 's' } as const;
  const first = scheduler.run({ ...demand, touches, changes }, async () => undefined, never);
  const laterRead = scheduler.run(
    { ...demand, touches: read('a'), changes: false },
    async (isLate) => isLate,
    never,
  );
  await first;
  return await laterRead;
}

test('who waited a moment behind readers is not late; behind what changes things it is', async () => {
  expect(await isLateBehind(read('b'), false)).toBe(false);
  expect(await isLateBehind(write('b'), true)).toBe(true);
  // A command touches nothing that it could name.
  expect(await isLateBehind([], true)).toBe(true);
});

test('who waited long behind readers is late', async () => {
  const scheduler = createScheduler({ ...plenty, session: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const demand = { lane: 'read', session: 's', changes: false } as const;
  const first = scheduler.run({ ...demand, touches: read('b') }, () => promise, never);
  const laterRead = scheduler.run({ ...demand, touches: read('a') }, async (isLate) => isLate, never);
  setTimeout(resolve, 20);
  await first;
  expect(await laterRead).toBe(true);
});
