// The network by a list of hosts: a command that a person granted it reaches those on the list, and nothing else.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '@codelab/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowedHost, openAddress } from '../../packages/runtime/src/sandbox/allowed-hosts.ts';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { dataOf } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const servers: Server[] = [];
let listedPort = 0;
let other = 0;

/** On addresses of the loopback that no program takes for its own machine. */
async function serve(address: string): Promise<number> {
  const server = createServer((request, answer) =>
    answer.end(`${request.method} ${request.url} ${request.headers.host}`),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  listedPort = await serve('127.0.0.2');
  other = await serve('127.0.0.3');
});
afterAll(() => {
  for (const server of servers) server.close();
});

// The proxy's own words, as any program has them: a plain request, a tunnel, and no proxy at all.
const ask = `
const http = require('node:http');
const [how, host, port] = process.argv.slice(2);
const proxy = new URL(process.env.HTTP_PROXY ?? 'http://127.0.0.1:1');
const done = (text) => { console.log(text); process.exit(0); };
const on = (r) => { let text = ''; r.on('data', (d) => { text += d; }).on('end', () => done(r.statusCode + ' ' + text.trim())); };
const failed = (error) => done('failed ' + error.code);
if (how === 'plain') http.get({ host: proxy.hostname, port: proxy.port, path: 'http://' + host + ':' + port + '/a?b=1' }, on).on('error', failed);
if (how === 'direct') require('node:net').connect(port, host, () => done('connected')).on('error', failed);
if (how === 'tunnel') http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: host + ':' + port })
  .on('connect', (r, socket) => { if (r.statusCode !== 200) done('refused ' + r.statusCode);
    socket.on('data', (d) => done(String(d).split('\\r\\n')[0])); socket.write('GET /t HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'); })
  .on('error', failed).end();
`;

describe.each(backends)('in %s', (backend) => {
  let bench: Workbench;
  const confinements: unknown[] = [];
  beforeAll(async () => {
    forceSandbox(backend);
    const folder = mkdtempSync(join(tmpdir(), 'codelab-hosts-'));
    mkdirSync(join(folder, 'home'), { mode: 0o700 });
    const config = { network_hosts: [`127.0.0.2:${listedPort}`, '*.example.org'] };
    writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify(config), { mode: 0o600 });
    bench = await workbench({ mode: 'review', folder, files: { 'ask.cjs': ask } });
    bench.human((approval) => {
      confinements.push(approval.plan.command?.confinement);
      return { kind: 'approve' };
    });
  });
  afterAll(async () => {
    forceSandbox(undefined);
    await bench[Symbol.asyncDispose]();
  });
  const run = async (args: string, network = true) => {
    const outcome = await bench.call('run_command', {
      command: `${process.execPath} ask.cjs ${args}`,
      network,
    });
    const { stdout, notes } = dataOf(outcome) as { stdout: string; notes?: string[] };
    return { stdout: stdout.trim(), notes: notes ?? [] };
  };

  test('a host of the list is reached, and the question names the list', async () => {
    expect((await run(`plain 127.0.0.2 ${listedPort}`)).stdout).toBe(
      `200 GET /a?b=1 127.0.0.2:${listedPort}`,
    );
    expect((await run(`tunnel 127.0.0.2 ${listedPort}`)).stdout).toBe('HTTP/1.1 200 OK');
    expect(confinements[0]).toMatchObject({
      network: true,
      hosts: [`127.0.0.2:${listedPort}`, '*.example.org'],
    });
  });

  test('no other host, port or way is, and the result says so', async () => {
    for (const variant of ['plain', 'tunnel']) {
      const { stdout, notes } = await run(`${variant} 127.0.0.3 ${other}`);
      expect(stdout).toContain('403');
      expect(notes[0]).toContain(`could not reach 127.0.0.3:${other}`);
    }
    expect((await run(`tunnel 127.0.0.2 ${other}`)).stdout).toBe('refused 403');
    expect((await run(`tunnel localhost ${listedPort}`)).stdout).toBe('refused 403');
    expect((await run(`direct 127.0.0.2 ${listedPort}`)).stdout).toMatch(/^failed E/);
  });

  test('a command that nobody was asked about reaches none, though it finds the socket of one that runs', async () => {
    const long = `${process.execPath} -e "setTimeout(() => {}, 60000)"`;
    const cancel = new AbortController();
    const granted = bench.call('run_command', { command: long, network: true }, { signal: cancel.signal });
    const sniff = `for s in /tmp/.asked/net-*; do ${process.execPath} -e "const c = require('net').connect(process.argv[1], () => c.write('x'.repeat(32) + 'CONNECT 127.0.0.2:${listedPort} HTTP/1.1\\r\\n\\r\\n')); c.on('data', (d) => console.log('got ' + d)).on('close', () => console.log('closed')).on('error', (e) => console.log(e.code))" "$s"; done`;
    await expect
      .poll(async () => String(dataOf(await bench.call('run_command', { command: sniff })).stdout), {
        timeout: 10_000,
      })
      .toMatch(/^(closed|EACCES|ECONNRESET)\n/);
    cancel.abort();
    await granted;
    const remaining = String(dataOf(await bench.call('run_command', { command: 'ls /tmp/.asked' })).stdout);
    expect(remaining).not.toContain('net-');
  });

  test('its exit code, signals and output are those of the command', async () => {
    const outcome = await bench.call('run_command', {
      command: 'echo out; echo err >&2; exit 3',
      network: true,
    });
    expect(dataOf(outcome)).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exit_code: 3 });
    const killed = await bench.call('run_command', { command: 'kill -9 $$', network: true });
    expect(dataOf(killed).exit_code).toBe(137);
  });
});

test('a name is compared whole, and one that leads into this machine is no host of a list', async () => {
  const hosts = ['example.org', '*.example.com', 'a.test:8443'];
  const isAllowed = (host: string, port: number): boolean => allowedHost(hosts, host, port) !== undefined;
  expect(
    ['example.org', 'EXAMPLE.ORG.', 'x.example.com', 'y.x.example.com'].every((host) => isAllowed(host, 443)),
  ).toBe(true);
  for (const host of [
    'evilexample.org',
    'example.org.evil.net',
    'example.com',
    'xexample.com',
    'example',
    'a.test',
  ])
    expect([host, isAllowed(host, 443)]).toEqual([host, false]);
  expect([isAllowed('a.test', 8443), isAllowed('example.org', 22), isAllowed('example.org', 8443)]).toEqual([
    true,
    false,
    false,
  ]);
  // The name stands in every machine's own table.
  expect(await openAddress('*.localhost', 'localhost').catch(() => undefined)).toBeUndefined();
  expect(await openAddress('localhost', 'localhost')).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(await openAddress('10.0.0.1', '10.0.0.2')).toBeUndefined();
});

test.each(['a b', 'http://x', '*', '*.', 'x/y', '-x', 'x:y'])('%j is no host of a list', async (host) => {
  using scratch = scratchFolder();
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ network_hosts: [host] }));
  await expect(compose({ workspace: scratch.root, home: scratch.home, env: {} })).rejects.toThrow(
    'network_hosts',
  );
});
