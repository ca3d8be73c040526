// A peer that opens an event stream and reads nothing of it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cutSlowReader } from '../../apps/server/src/edge/cut-slow-reader.ts';
import { gatewayBench } from '../support/gateway-bench.ts';

test.each([
  ['is fed on', false],
  ['was told the end', true],
])('its line is closed after the time there is, when it %s', async (_how, ends) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    cutSlowReader(response, 400);
    response.once('close', resolve);
    const chunk = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 64 && response.write(chunk); i++);
    for (let i = 0; i < 16; i++) response.write(chunk);
    if (ends) response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed;
  socket.destroy();
  server.close();
});

test('one that reads keeps its line', async () => {
  let isClosed = false;
  const server = createServer((_request, response) => {
    cutSlowReader(response, 200);
    response.once('close', () => {
      isClosed = true;
    });
    response.write('hello');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  // Longer than the time a slow one has.
  await wait(700);
  expect(isClosed).toBe(false);
  socket.destroy();
  server.close();
});

test('asking for the head of a stream opens none', async () => {
  await using bench = await gatewayBench();
  await bench.connect('s1');
  const response = await bench.request('/api/v1/sessions/s1/events', { method: 'HEAD' });
  expect(response.status).toBe(404);
});
