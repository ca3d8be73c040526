import type { Outcome } from '@codelab/protocol';
import { latestTodos } from '@codelab/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Workbench, workbench } from '../support/workbench.ts';

const two = [
  { id: 'a', content: 'Look', status: 'completed', priority: 'high' },
  { id: 'b', content: 'Mend', status: 'in_progress', priority: 'low' },
];

function dataOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.status !== 'completed') throw new Error(outcome.error.message);
  return outcome.data;
}

async function itemsIn(bench: Workbench, session = 's1'): Promise<unknown> {
  return dataOf(await bench.call('todoread', {}, { session })).items;
}

describe('the list of things to do', () => {
  test('is what was written last in the session, and is there after a restart', async () => {
    await using bench = await workbench();
    expect(await itemsIn(bench)).toEqual([]);
    expect(dataOf(await bench.call('todowrite', { todos: two }))).toEqual({
      session_id: 's1',
      items: two,
      count: 2,
      in_progress: 1,
    });
    await bench.call('todowrite', { todos: [two[0]] }, { session: 's2' });
    expect(await itemsIn(bench)).toEqual(two);
    await bench.restart();
    expect(await bench.call('todoread', {}, { id: 'after' })).toMatchObject({
      data: { items: two, in_progress: 1 },
    });
    expect(await latestTodos(await bench.host.session('s2'))).toEqual([two[0]]);
  });

  test('is not touched by a list that is refused', async () => {
    await using bench = await workbench();
    await bench.call('todowrite', { todos: two });
    for (const todos of [
      [two[0], two[0]],
      two.map((todo) => ({ ...todo, status: 'in_progress' })),
      [{ content: ' ' }],
      [{ content: 'a', status: 'someday' }],
      [{ content: 'a', colour: 'red' }],
    ])
      expect(await bench.call('todowrite', { todos })).toMatchObject({
        error: { code: 'INVALID_ARGUMENTS' },
      });
    expect(await itemsIn(bench)).toEqual(two);
  });

  test('numbers what has no id and fills in what is left out', async () => {
    await using bench = await workbench();
    const todos = [{ content: 'x' }, { id: '1', content: 'y' }, { content: 'z', status: 'cancelled' }];
    const rest = { status: 'pending', priority: 'medium' };
    expect(dataOf(await bench.call('todowrite', { todos })).items).toEqual([
      { id: '2', content: 'x', ...rest },
      { id: '1', content: 'y', ...rest },
      { id: '3', content: 'z', ...rest, status: 'cancelled' },
    ]);
  });

  test('goes over into a session that was forked, as it was at the fork', async () => {
    await using bench = await workbench();
    await bench.call('todowrite', { todos: two });
    const seq = (await bench.log.read('s1')).at(-1)?.seq ?? 0;
    await bench.call('todowrite', { todos: [] });
    const opened = { type: 'session.opened', workspace: bench.root } as const;
    await bench.log.append('s3', [{ ...opened, forkedFrom: { session: 's1', seq } }], { expected: 0 });
    expect(await itemsIn(bench, 's3')).toEqual(two);
    await bench.call('todowrite', { todos: [two[1]] }, { session: 's3' });
    expect(await itemsIn(bench, 's3')).toEqual([two[1]]);
    expect(await itemsIn(bench)).toEqual([]);
  });

  test('is never asked about, and reads back whatever was written', async () => {
    await using bench = await workbench({ mode: 'strict' });
    const item = fc.record({
      content: fc.string({ minLength: 1 }).filter((text) => /\S/.test(text)),
      status: fc.constantFrom('pending', 'completed', 'cancelled'),
      priority: fc.constantFrom('high', 'medium', 'low'),
    });
    const lists = fc.array(item, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lists, async (todos) => {
        const written = dataOf(await bench.call('todowrite', { todos })).items;
        expect(await itemsIn(bench)).toEqual(written);
        expect(written).toMatchObject(todos);
      }),
      { numRuns: 25 },
    );
    const approvals = (await bench.log.read('s1')).filter(({ body }) => body.type === 'approval.requested');
    expect(approvals).toEqual([]);
  });
});
