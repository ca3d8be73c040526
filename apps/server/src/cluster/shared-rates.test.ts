import { expect, test } from 'vitest';
import { openSharedRates } from './shared-rates.ts';

type Ports = Parameters<typeof openSharedRates>[0];

test('counts that can not be told while the servers are away are dropped, and telling goes on when they are back', async () => {
  let isAway = false;
  const published: [string, number][] = [];
  const reach = async <T>(value: T): Promise<T> => {
    if (isAway) throw new Error('no server answers');
    return value;
  };
  let tick = (): void => undefined;
  const shared = {
    get: () => reach({ text: '{}', revision: 7 }),
    put: async (_key: string, text: string, revision: number) => {
      await reach(undefined);
      published.push([text, revision]);
      return revision + 1;
    },
    watch: () => () => undefined,
    remove: () => reach(undefined),
  };
  const clock = {
    every(_ms: number, work: () => void) {
      tick = work;
      return () => undefined;
    },
  };
  const rates = openSharedRates({ shared, clock } as unknown as Ports, 'n1');
  const tellOnce = async (key: string): Promise<void> => {
    rates.of('requests').note(key);
    tick();
    await new Promise((resolve) => setImmediate(resolve));
  };
  await tellOnce('ann');
  isAway = true;
  await tellOnce('bob');
  await tellOnce('bob');
  isAway = false;
  await tellOnce('eve');
  expect(published).toEqual([
    ['{"requests":{"ann":1}}', 0],
    ['{"requests":{"eve":1}}', 7],
  ]);
});
