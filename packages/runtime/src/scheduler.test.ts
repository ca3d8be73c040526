import { setImmediate as settled } from 'node:timers/promises';
import type { Touch } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { createScheduler } from './scheduler.ts';

const never = new AbortController().signal;
const read = (path: string): Touch[] => [{ asked: path, path, access: 'read' }];
const write = (path: string): Touch[] => [{ asked: path, path, access: 'write' }];

/** Starts jobs that end only when told to, and tells which have started. */
function observe(scheduler: ReturnType<typeof createScheduler>) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, touches: Touch[], signal = never) =>
    scheduler.run(
      { touches, changes: touches.some(({ access }) => access !== 'read') },
      () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      signal,
    );
  return { started, add, end: (name: string) => ends.get(name)?.() };
}

test('three run at once, the fourth waits and still reports', async () => {
  const { started, add, end } = observe(createScheduler({ parallel: 3, queued: 10 }));
  const jobs = ['a', 'b', 'c', 'd'].map((name) => add(name, read(name)));
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
  end('b');
  expect(await jobs[1]).toBe('b');
  await settled();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'c', 'd']) end(name);
  expect(await Promise.all(jobs)).toEqual(['a', 'b', 'c', 'd']);
});

test('readers share a path; a writer has it and everything below it alone', async () => {
  const { started, add, end } = observe(createScheduler({ parallel: 9, queued: 10 }));
  const all = [
    add('r1', read('src/a')),
    add('r2', read('src/a')),
    add('w1', write('src')),
    add('r3', read('src/b')),
    add('w2', write('srcs')),
  ];
  await settled();
  expect(started).toEqual(['r1', 'r2', 'w2']);
  end('r1');
  end('r2');
  await Promise.all(all.slice(0, 2));
  await settled();
  expect(started).toEqual(['r1', 'r2', 'w2', 'w1']);
  end('w1');
  await all[2];
  await settled();
  expect(started).toEqual(['r1', 'r2', 'w2', 'w1', 'r3']);
  end('r3');
  end('w2');
  await Promise.all(all);
});

test('a full queue refuses by name, and a cancelled wait frees its place', async () => {
  const { add, end } = observe(createScheduler({ parallel: 1, queued: 1 }));
  const first = add('a', write('x'));
  const stop = new AbortController();
  const second = add('b', write('x'), stop.signal);
  await expect(add('c', write('x'))).rejects.toMatchObject({ code: 'CONCURRENT_LIMIT_EXCEEDED' });
  stop.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  const third = add('d', write('x'));
  end('a');
  await first;
  await settled();
  end('d');
  expect(await third).toBe('d');
});

/** Whether a reader counts as late when it waited behind these jobs, the last of which is ended at once. */
async function isLateBehind(touches: Touch[], changes: boolean): Promise<boolean> {
  const scheduler = createScheduler({ parallel: 1, queued: 10 });
  const first = scheduler.run({ touches, changes }, async () => undefined, never);
  const late = scheduler.run({ touches: read('a'), changes: false }, async (isLate) => isLate, never);
  await first;
  return await late;
}

test('who waited a moment behind readers is not late; behind what changes things it is', async () => {
  expect(await isLateBehind(read('b'), false)).toBe(false);
  expect(await isLateBehind(write('b'), true)).toBe(true);
  // A command touches nothing that it could name.
  expect(await isLateBehind([], true)).toBe(true);
});

test('who waited long behind readers is late', async () => {
  const scheduler = createScheduler({ parallel: 1, queued: 10 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = scheduler.run({ touches: read('b'), changes: false }, () => promise, never);
  const late = scheduler.run({ touches: read('a'), changes: false }, async (isLate) => isLate, never);
  setTimeout(resolve, 20);
  await first;
  expect(await late).toBe(true);
});
