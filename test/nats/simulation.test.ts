// The log, leases and routing of gateways over simulated servers, network and clocks (bench/simulation): short runs whose laws must hold, and
// runs that are broken on purpose, which the laws must notice. Needs no nats-server.
import type { EventBody } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { createJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { createNetwork } from '../../bench/simulation/machine/network.ts';
import { createProcess } from '../../bench/simulation/machine/process.ts';
import { createRandom, createScheduler } from '../../bench/simulation/machine/scheduler.ts';
import { connectTo } from '../../bench/simulation/servers/connection.ts';
import { createStreamServer } from '../../bench/simulation/servers/stream-server.ts';
import { simulate } from '../../bench/simulation/simulate.ts';
import { allFaults } from '../../bench/simulation/world.ts';

const small = { sessions: 60, minutes: 1, faults: allFaults, everyMs: 5000 };

describe('gateways in a simulation', () => {
  test.each([1, 2, 3, 4])('lose nothing and run nothing twice, whatever fails (seed %i)', async (seed) => {
    const { laws } = await simulate({ ...small, seed });
    expect(laws.broken).toEqual([]);
    expect(laws.calls().run).toBeGreaterThan(80);
  });

  test('do the same for the same seed', async () => {
    const [firstRun, other] = [await simulate({ ...small, seed: 7 }), await simulate({ ...small, seed: 7 })];
    const stored = ({ server }: typeof firstRun) => server.store.since(0).map(({ standing }) => standing);
    expect(stored(firstRun)).toEqual(stored(other));
    expect(firstRun.scheduler.events).toBe(other.scheduler.events);
  });

  test.each(['no-fence', 'no-order'] as const)(
    'that are broken on purpose are noticed (%s)',
    async (broken) => {
      const runs = [];
      for (let seed = 1; seed <= 5; seed++)
        runs.push((await simulate({ ...small, seed, broken })).laws.broken);
      expect(runs.flat().join('\n')).toMatch(
        broken === 'no-fence' ? /both wrote as owner/ : /follows entry|does not follow/,
      );
    },
  );
});

const opened: EventBody = { type: 'session.opened', workspace: '/w' };
const titledEvent: EventBody = { type: 'session.titled', title: 'x' };

/** Two logs over the same servers; `run` lets virtual time pass until the work has ended. */
function twoLogs() {
  const scheduler = createScheduler();
  const parts = { scheduler, random: createRandom(1) };
  const network = createNetwork(parts, { latencyMs: 1, loss: 0 });
  const server = createStreamServer({ ...parts, process: createProcess(scheduler, { name: 'servers' }) });
  const open = (name: string) => {
    const process = createProcess(scheduler, { name });
    return createJetStreamLog(connectTo({ process, server, network, random: parts.random }), {
      leaseMs: 6000,
    });
  };
  async function run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    ended.catch(() => undefined);
    await scheduler.run(scheduler.now + 60_000, () => isOver);
    return await ended;
  }
  return { a: open('a'), b: open('b'), server, network, run };
}

describe('a log on servers', () => {
  test('takes a new session from the later owner only, also when the earlier one was first to append', async () => {
    const { a, b, run } = twoLogs();
    const [first, second] = [await run(a.cluster()), await run(b.cluster())];
    first.join('a');
    second.join('b');
    // The session is empty, so there is nothing to fence.
    expect(await run(first.fence('s', { node: 'a', epoch: 1 }))).toBe(true);
    expect(await run(second.fence('s', { node: 'b', epoch: 2 }))).toBe(true);
    await run(a.append('s', [opened], { expected: 0 }));
    await run(b.append('s', [titledEvent], { expected: 1 }));
    await expect(run(a.append('s', [titledEvent], { expected: 2 }))).rejects.toMatchObject({ code: 'STALE' });
    expect((await run(b.read('s'))).map(({ body }) => body.type)).toEqual([
      'session.opened',
      'session.titled',
    ]);
  });

  test('counts appends that another writer was before', async () => {
    const { a, b, run } = twoLogs();
    await run(a.append('s', [opened], { expected: 0 }));
    const refused = run(b.append('s', [opened], { expected: 0 }));
    await expect(refused).rejects.toMatchObject({ code: 'LOG_CONFLICT' });
    expect([a.servers?.conflicts, b.servers?.conflicts]).toEqual([0, 1]);
  });

  test('finds its own append as soon as others do, also when the answer to it is late', async () => {
    const { a, b, network, run } = twoLogs();
    const ports = await run(a.cluster());
    ports.join('a');
    await run(ports.fence('s', { node: 'a', epoch: 1 }));
    await run(a.append('s', [opened], { expected: 0 }));
    network.cut('servers', 'a');
    const appended = a.append('s', [titledEvent], { expected: 1 });
    while ((await run(b.read('s'))).length < 2);
    network.heal('servers', 'a');
    expect((await run(a.read('s', { since: 1 }))).map(({ seq }) => seq)).toEqual([2]);
    expect((await run(appended)).map(({ seq }) => seq)).toEqual([2]);
  });

  test('reads what it has seen before, also while a server that is not the leader any more answers', async () => {
    const { a, server, run } = twoLogs();
    await run(a.append('s', [opened], { expected: 0 }));
    server.changeLeader(0, 500);
    for (let seq = 1; seq < 40; seq++) {
      await run(a.append('s', [titledEvent], { expected: seq }));
      expect((await run(a.read('s', { since: seq }))).map((event) => event.seq)).toEqual([seq + 1]);
      server.changeLeader(0, 500);
    }
  });
});
