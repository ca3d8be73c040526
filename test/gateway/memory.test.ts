// The cost of idle sessions.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openGateway } from '../../apps/server/src/sessions/open-gateway.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { workbench } from '../support/workbench.ts';

const me = { subject: 'me', via: 'test', isOperator: true as const };

test('one that nobody uses is let go of, and is whole when it is opened again', async () => {
  await using bench = await workbench();
  const model = scriptedModel([{ text: 'Hello.' }]);
  await using gateway = openGateway({
    host: bench.host,
    agents: bench.agents,
    env: {},
    openModel: async () => model,
    idleMs: 100,
  });
  const untilReleased = async (id: string): Promise<void> => {
    const deadline = AbortSignal.timeout(10_000);
    while ((await gateway.opened(id)) !== undefined) {
      deadline.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const first = await gateway.session('s1', me);
  await first.say('Hi.', me);
  await untilReleased('s1');
  expect(first.isOpen).toBe(false);
  const reopened = await gateway.session('s1', me);
  expect((await reopened.history()).at(-1)?.body).toMatchObject({ type: 'turn.ended', end: 'completed' });
  // The first session has a listener, and the second one another role.
  const stop = new AbortController();
  const listening = reopened.listen({ since: 0, signal: stop.signal })[Symbol.asyncIterator]();
  await listening.next();
  const switched = await gateway.session('s2', me);
  await switched.switchAgent('ask');
  await gateway.session('s3', me);
  await untilReleased('s3');
  expect([reopened.isOpen, switched.isOpen, switched.profile]).toEqual([true, true, 'ask']);
  stop.abort();
  await listening.return?.();
});

test('an idle session with a socket costs little of the heap', { timeout: 60_000 }, async () => {
  using scratch = scratchFolder();
  const script = join(import.meta.dirname, '../..', 'bench', 'load', 'gateway-child.ts');
  const child = fork(script, [scratch.root, scratch.home, 'a-long-token', '0'], {
    execArgv: ['--expose-gc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  const open = async (count: number): Promise<WebSocket[]> =>
    await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/new_1?token=a-long-token`);
        await once(socket, 'message');
        return socket;
      }),
    );
  const heap = async (): Promise<number> => {
    child.send('memory');
    const [{ heapUsed }] = (await once(child, 'message')) as [{ heapUsed: number }];
    return heapUsed;
  };
  const sockets = await open(50);
  const before = await heap();
  for (let i = 0; i < 4; i++) sockets.push(...(await open(50)));
  expect(((await heap()) - before) / 200).toBeLessThan(40 * 1024);
  for (const socket of sockets) socket.terminate();
  child.disconnect();
  await once(child, 'exit');
});
