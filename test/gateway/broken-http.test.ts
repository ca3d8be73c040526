// Broken requests get a response in the usual form. Sent over plain sockets.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';

/** Says this and returns status and body of each answer, once the line is closed. */
async function sendRaw(port: number, text: string | Buffer): Promise<{ status: number; body: unknown }> {
  const line = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  line.on('data', (chunk: Buffer) => chunks.push(chunk));
  line.on('error', () => undefined);
  const closed = new Promise((resolve) => line.on('close', resolve));
  line.write(text);
  await closed;
  const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  expect(head).toMatch(/content-type: application\/json/i);
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(body));
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

const head = 'Host: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer secret-token\r\n';
const get = (path: string, extraHeaders = ''): string => `GET ${path} HTTP/1.1\r\n${head}${extraHeaders}\r\n`;
const post = (extraHeaders: string, body = '{}'): string =>
  `POST /api/v1/sessions HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n${extraHeaders}\r\n${body}`;

const cases: [string, string | Buffer, number, string][] = [
  ['no HTTP at all', 'HELO there\r\n\r\n', 400, 'INVALID_FORMAT'],
  ['bytes', Buffer.from([0, 255, 13, 10, 13, 10]), 400, 'INVALID_FORMAT'],
  ['a method nobody knows', `FOO / HTTP/1.1\r\n${head}\r\n`, 400, 'INVALID_FORMAT'],
  ['an address with a broken escape', get('/%zz?token=secret-token'), 400, 'INVALID_FORMAT'],
  ['an id with half a character', get('/api/v1/sessions/%ff'), 400, 'INVALID_FORMAT'],
  ['an id that is far too long', get(`/api/v1/sessions/${'a'.repeat(301)}`), 414, 'INVALID_FORMAT'],
  ['an address without end', get(`/${'a'.repeat(20_000)}`), 431, 'INVALID_FORMAT'],
  ['headers without end', get('/health', `A: ${'b'.repeat(100_000)}\r\n`), 431, 'INVALID_FORMAT'],
  ['a length and chunks', post('Transfer-Encoding: chunked\r\n'), 400, 'INVALID_FORMAT'],
  ['no JSON by its type', post('Content-Type: text/plain\r\n'), 415, 'INVALID_FORMAT'],
  ['no type', post(''), 415, 'INVALID_FORMAT'],
  ['broken JSON', post('Content-Type: application/json\r\n', '{a}'), 400, 'INVALID_FORMAT'],
  [
    'more than may be sent',
    `POST /api/v1/sessions HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
    413,
    'FILE_TOO_LARGE',
  ],
  ['an expectation', post('Content-Type: application/json\r\nExpect: wonders\r\n'), 417, 'INVALID_FORMAT'],
  ['no name', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 403, 'PERMISSION_DENIED'],
  ['two names', get('/health', 'Host: evil.example\r\n'), 400, 'INVALID_FORMAT'],
  ['nothing there', get('/nowhere'), 404, 'INVALID_ARGUMENTS'],
  ['another method', `DELETE /api/v1/agents HTTP/1.1\r\n${head}\r\n`, 404, 'INVALID_ARGUMENTS'],
];

test('all of it', { timeout: 30_000 }, async () => {
  await using bench = await gatewayBench();
  for (const [label, text, status, code] of cases) {
    const answer = await sendRaw(bench.running.port, text);
    expect(answer, label).toMatchObject({
      status,
      body: { error: { code, message: expect.stringMatching(/.{10}/) } },
    });
    expect(JSON.stringify(answer), label).not.toContain('secret-token');
  }
  expect(bench.faults).toEqual([]);
  expect((await bench.request('/health')).status).toBe(200);
});

test('a broken request behind a good one does not get into its answer', async () => {
  await using bench = await gatewayBench();
  await bench.connect('s1');
  const line = connect(bench.running.port, '127.0.0.1');
  line.on('error', () => undefined);
  const closed = new Promise((resolve) => line.on('close', resolve));
  let received = '';
  line.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8');
    // The stream is open: what follows can't be answered any more.
    if (received.includes('session.opened')) line.write('\0garbage\r\n\r\n');
  });
  line.write(
    'GET /api/v1/sessions/s1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer secret-token\r\n\r\n',
  );
  await closed;
  expect(received.match(/HTTP\/1.1/g)).toHaveLength(1);
});
