// Executors of several people: each carries out what is in his own sessions, whatever name he gives himself.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Auth } from '../../apps/server/src/edge/auth/create-auth.ts';
import { openGateway } from '../../apps/server/src/sessions/open-gateway.ts';
import { attachWebSockets } from '../../apps/server/src/sockets/attach-websockets.ts';
import { workbench } from '../support/workbench.ts';

type Json = Record<string, unknown>;

/** The token is the user name; `root` has the gateway's own token. */
const byName: Auth = {
  checkOrigin: () => undefined,
  admit({ headers }, via) {
    const subject = String(headers.authorization);
    return Promise.resolve({ subject, via, ...(subject === 'root' && { isOperator: true as const }) });
  },
};

async function gatewayWithOwners() {
  const bench = await workbench();
  const gateway = openGateway({ host: bench.host, agents: bench.agents, env: {} });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = attachWebSockets({ server, gateway, auth: byName });
  const { port } = server.address() as AddressInfo;
  return {
    async connect(who: string, path: string) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { authorization: who } });
      const received: Json[] = [];
      socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8')) as Json));
      const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode as number);
      const status = await Promise.race([once(socket, 'open').then(() => 101), refused]);
      socket.on('error', () => undefined);
      const next = async (matches: (message: Json) => boolean): Promise<Json> => {
        for (;;) {
          const found = received.find(matches);
          if (found !== undefined) return found;
          await once(socket, 'message', { signal: AbortSignal.timeout(10_000) });
        }
      };
      return {
        status,
        next,
        received,
        send: (message: Json) => socket.send(JSON.stringify(message)),
        socket,
      };
    },
    async [Symbol.asyncDispose]() {
      sockets.close();
      server.close();
      await gateway[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

test('a name of an executor is worth nothing in the hands of another person', async () => {
  await using gateway = await gatewayWithOwners();
  const ann = await gateway.connect('ann', '/ws/s1?role=executor&executor_id=e1');
  const result = { type: 'tool_result', call_id: 'c1', result: { success: true, bytes_written: 1 } };
  ann.send({
    type: 'tool_call',
    call_id: 'c1',
    tool_name: 'write_file',
    arguments: { path: '/a', content: 'x' },
  });
  await ann.next((message) => message.requires_approval === true);
  ann.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  await ann.next((message) => message.state === 'approved');
  expect((await gateway.connect('bob', '/ws/s1?role=executor&executor_id=e1')).status).toBe(403);
  const bob = await gateway.connect('bob', '/ws/s2?role=executor&executor_id=e1');
  bob.send(result);
  expect(await bob.next((message) => message.type === 'error')).toMatchObject({
    details: { reason: 'INVALID_CALL_ID' },
  });
  // The operator may look into every session, but is not the one the call was given to.
  const root = await gateway.connect('root', '/ws/s1?role=executor&executor_id=e1');
  root.send(result);
  expect(await root.next((message) => message.type === 'error')).toMatchObject({
    details: { reason: 'INVALID_CALL_ID' },
  });
  expect(root.received.some((message) => message.state !== undefined)).toBe(false);
  ann.send(result);
  expect(await root.next((message) => message.type === 'tool_result')).toMatchObject({
    result: { success: true },
  });
});

test('an executor is refused in the session of another that it has not seen', async () => {
  await using gateway = await gatewayWithOwners();
  await gateway.connect('ann', '/ws/mine');
  expect((await gateway.connect('bob', '/ws/mine?role=executor')).status).toBe(403);
  expect((await gateway.connect('ann', '/ws/mine?role=executor')).status).toBe(400);
});
