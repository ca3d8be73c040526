import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openPrograms } from '../../process/open-programs.ts';
import { ConnectionLost, NoAnswer, openServerConnection } from './connection.ts';

/** Answers `echo`, refuses `refuse`, ends at `end`; `seen` tells which requests it was told to cancel. */
const server = `
let rest = Buffer.alloc(0);
const cancelled = [];
const send = (message) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
};
process.stdin.on('data', (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (;;) {
    const end = rest.indexOf('\\r\\n\\r\\n');
    if (end === -1) return;
    const length = Number(/Length: (\\d+)/.exec(rest.toString('latin1', 0, end))[1]);
    if (rest.length < end + 4 + length) return;
    const { id, method, params } = JSON.parse(rest.toString('utf8', end + 4, end + 4 + length));
    rest = rest.subarray(end + 4 + length);
    if (method === 'echo') send({ id, result: params });
    if (method === 'refuse') send({ id, error: { code: -32803, message: 'not now' } });
    if (method === 'seen') send({ id, result: cancelled });
    if (method === 'end') process.exit(3);
    if (method === '$/cancelRequest') cancelled.push(params.id);
  }
});`;

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function connect() {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-connection-'));
  const programs = await openPrograms({ home: join(folder, 'home'), root: folder });
  const { connection, program } = await openServerConnection({
    start: (onBytes) =>
      programs.start({ argv: [process.execPath, '-e', server], cwd: folder, env: {}, onBytes }),
    settings: {},
    onNotification: () => undefined,
    onRegistered: () => undefined,
    onEnded: () => undefined,
  });
  opened.push(async () => {
    await program.end();
    programs[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return connection;
}

const patient = () => ({ signal: new AbortController().signal, mostMs: 30_000 });

test('each request gets its own answer, whatever else is under way', async () => {
  const connection = await connect();
  const silent = connection.request('silence', {}, patient());
  const answers = [1, 2, 3].map((n) => connection.request('echo', { n }, patient()));
  expect(await Promise.all(answers)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  await expect(connection.request('refuse', {}, patient())).rejects.toThrow('not now');
  connection.fail('It was stopped.');
  await expect(silent).rejects.toThrow(ConnectionLost);
  await expect(connection.request('echo', {}, patient())).rejects.toThrow(ConnectionLost);
});

test('a request that is given up is cancelled at the server', async () => {
  const connection = await connect();
  const stop = new AbortController();
  const stopped = connection.request('silence', {}, { ...patient(), signal: stop.signal });
  stop.abort(new Error('nobody wants it'));
  await expect(stopped).rejects.toThrow('nobody wants it');
  const unanswered = connection.request('silence', {}, { ...patient(), mostMs: 1 });
  await expect(unanswered).rejects.toThrow(NoAnswer);
  const aborted = connection.request('echo', {}, { ...patient(), signal: stop.signal });
  await expect(aborted).rejects.toThrow('nobody wants it');
  expect(await connection.request('seen', undefined, patient())).toEqual([1, 2]);
});

test('a server that ends leaves no request waiting', async () => {
  const connection = await connect();
  const request = connection.request('silence', {}, patient());
  const last = connection.request('end', {}, patient());
  await expect(request).rejects.toThrow('It ended (exit code 3).');
  await expect(last).rejects.toThrow(ConnectionLost);
});
