// Calls that are under way together are written together; each of them still has one beginning, one end, and its own answer.
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbench } from '../support/workbench.ts';

test('many calls at once, some with one id: each is recorded once, and answered by its own outcome', async () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}.txt`, `text ${i}`]));
  await using bench = await workbench({ files, mode: 'trusted', limits: { queued: 1000 } });
  const calls = Array.from({ length: 120 }, (_, i) => {
    const isChange = i % 10 === 9;
    const path = isChange ? `new${i}.txt` : `f${i % 20}.txt`;
    return { id: `c${i}`, path, isChange, args: isChange ? { path, content: `new ${i}` } : { path } };
  });
  // Every seventh is sent twice.
  const callsWithRepeats = calls.flatMap((call, i) => (i % 7 === 0 ? [call, call] : [call]));
  const outcomes = await Promise.all(
    callsWithRepeats.map(({ id, args, isChange }) =>
      bench.call(isChange ? 'write_file' : 'read_file', args, { id }),
    ),
  );
  expect(outcomes.map(({ callId, status }) => [callId, status])).toEqual(
    callsWithRepeats.map(({ id }) => [id, 'completed']),
  );
  const events = await bench.log.read('s1');
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  for (const type of ['call.received', 'call.finished'] as const) {
    const ids = events.flatMap(({ body }) =>
      body.type !== type ? [] : body.type === 'call.received' ? [body.call.id] : [body.callId],
    );
    expect(ids.sort()).toEqual(calls.map(({ id }) => id).sort());
  }
  expect(bench.log.verify()).toBeUndefined();
});

test('the same id with other arguments is refused, also long after the first has ended', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  await bench.call('read_file', { path: 'a.txt' }, { id: 'one' });
  await bench.call('read_file', { path: 'b.txt' }, { id: 'two' });
  await bench.restart();
  expect(await bench.call('read_file', { path: 'b.txt' }, { id: 'one' })).toMatchObject({
    error: { code: 'DUPLICATE_CALL' },
  });
  expect(await bench.call('read_file', { path: 'a.txt' }, { id: 'one' })).toMatchObject({
    status: 'completed',
    data: { content: 'a' },
  });
});

test('a link that leads elsewhere once it was judged is not followed', async () => {
  await using bench = await workbench({ files: { 'open.txt': 'open', 'other.txt': 'other' } });
  const at = (name: string): string => join(bench.root, name);
  symlinkSync('open.txt', at('link.txt'));
  symlinkSync('other.txt', at('swapped.txt'));
  const tool = bench.host.tools.get('read_file');
  if (tool === undefined) throw new Error('There is no read_file.');
  const swapping: typeof tool = {
    ...tool,
    async plan(input, context) {
      const planned = await tool.plan(input, context);
      renameSync(at('swapped.txt'), at('link.txt'));
      return planned;
    },
  };
  const tools = new Map([...bench.host.tools, ['read_file', swapping]]);
  Object.assign(bench.host, { tools });
  expect(await bench.call('read_file', { path: 'link.txt' })).toMatchObject({
    status: 'failed',
    error: { code: 'STALE' },
  });
});
