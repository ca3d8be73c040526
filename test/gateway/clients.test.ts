// Clients that nobody here wrote: Chromium’s EventSource and WebSocket, curl -N, Python’s websockets. (The openai SDK: http-llm-proxy.)
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { decodePluginEvent, decodeServerMessage } from '@codelab/dialects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, type OpenBrowser, openBrowser } from '../support/browser.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;
type Heard = { id: string; type: string };

const big = 'Ж'.repeat(60_000);
const token = 'secret-token';

/** Odd steps end a turn; even ones read a long file and write another, which is asked about. */
const working = () =>
  scriptedModel((_request, step) =>
    step % 2 === 1
      ? { text: `Done ${step}.` }
      : {
          calls: [
            ['read_file', { path: 'big.txt' }],
            ['write_file', { path: `b${step}.txt`, content: 'new\n' }],
          ],
        },
  );

/** Long enough to come compressed. */
const bench = (extra: { port?: number } = {}): Promise<GatewayBench> =>
  gatewayBench({ script: working(), files: { 'big.txt': big }, ...extra });

async function playTurn(gateway: GatewayBench, content: string): Promise<void> {
  const client = await gateway.connect('s1');
  client.send({ type: 'user_message', content });
  const { call_id } = await client.next('tool_call', (message) => message.requires_approval === true);
  client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  await client.next('done');
  await client.close();
}

async function logOf({ running }: GatewayBench): Promise<Heard[]> {
  const events = await running.gateway.host.log.read('s1');
  return events.map(({ seq, body }) => ({ id: String(seq), type: body.type }));
}

describe.skipIf(noBrowser !== undefined)(`Chromium (${noBrowser ?? 'real'})`, () => {
  let chromium: OpenBrowser;
  beforeAll(async () => {
    chromium = await openBrowser();
  });
  afterAll(() => chromium?.[Symbol.asyncDispose]());

  test('EventSource hears a session live, and after a restart of the gateway nothing is lost or doubled', async () => {
    await using gateway = await bench({ port: await freePort() });
    const page = await chromium.page();
    await page.goto(`${gateway.running.url}/health`);
    await playTurn(gateway, 'first');
    const events: (Heard & { data: { seq: number } })[] = [];
    const ends = collector();
    await page.exposeFunction('told', (event: (typeof events)[number]) => {
      events.push(event);
      if (event.type === 'turn.ended') ends.add();
    });
    await page.evaluate(`
      window.source = new EventSource('/api/v1/sessions/s1/events?token=${token}');
      for (const type of ${JSON.stringify(eventTypes)})
        source.addEventListener(type, ({ type, lastEventId, data }) => told({ type, id: lastEventId, data: JSON.parse(data) }));
    `);
    await ends.reach(1);
    await playTurn(gateway, 'second');
    await ends.reach(2);
    await gateway.restart();
    await playTurn(gateway, 'third, while nobody listens');
    await ends.reach(3);
    expect(events.map(({ id, type }) => ({ id, type }))).toEqual(await logOf(gateway));
    expect(events.every(({ id, data }) => String(data.seq) === id)).toBe(true);
    expect(await page.evaluate('source.readyState')).toBe(1);
    expect(gateway.faults).toEqual([]);
  });

  test('WebSocket plays a whole turn with an approval', async () => {
    await using gateway = await bench();
    const page = await chromium.page();
    await page.goto(`${gateway.running.url}/health`);
    const frames = (await page.evaluate(`new Promise((resolve, reject) => {
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws/s1?dialect=codelab&token=${token}');
      const heard = [];
      socket.onerror = () => reject(new Error('broken'));
      socket.onopen = () => socket.send(JSON.stringify({ type: 'user_message', content: 'go' }));
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        heard.push(message);
        const { type, call_id, requires_approval } = message;
        if (requires_approval) socket.send(JSON.stringify({ type: 'hitl_decision', call_id, decision: 'approve' }));
        if (type === 'done') resolve(heard);
      };
    })`)) as Json[];
    expect(frames.map(decodeServerMessage)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'tool_result', result: { content: big, encoding: 'utf-8' } }),
        expect.objectContaining({ type: 'assistant_message', content: 'Done 1.', isFinal: true }),
        expect.objectContaining({ type: 'done', status: 'completed', turn: 1 }),
      ]),
    );
    expect(readFileSync(join(gateway.root, 'b0.txt'), 'utf8')).toBe('new\n');
    expect(gateway.faults).toEqual([]);
  });

  test('a page of somebody else’s hears nothing', async () => {
    await using gateway = await bench();
    await using stranger = await gatewayBench();
    const page = await chromium.page();
    await page.goto(`${stranger.running.url}/health`);
    const address = `${gateway.running.url}/api/v1/sessions/s1/events?token=${token}`;
    const socket = `${gateway.running.url.replace('http', 'ws')}/ws/s1?token=${token}`;
    const tried = await page.evaluate(`Promise.all([
      new Promise((resolve) => {
        const source = new EventSource('${address}');
        source.onopen = () => resolve('open');
        source.onerror = () => resolve('refused');
      }),
      new Promise((resolve) => {
        const socket = new WebSocket('${socket}');
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      }),
    ])`);
    expect(tried).toEqual(['refused', 'refused']);
  });
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe.skipIf(!hasCurl)('curl -N', () => {
  test('follows the log as server-sent events, and goes on after the last id', async () => {
    await using gateway = await bench();
    await playTurn(gateway, 'first');
    const url = `${gateway.running.url}/api/v1/sessions/s1/events`;
    const first = await curl([url], (line) => line === 'event: turn.ended');
    const ids = first.filter((line) => line.startsWith('id: ')).map((line) => line.slice(4));
    expect(ids).toEqual((await logOf(gateway)).map(({ id }) => id));
    const following = curl(
      [url, '-H', `Last-Event-ID: ${ids.at(-1)}`],
      (line) => line === 'event: turn.ended',
    );
    await playTurn(gateway, 'second');
    const later = (await following).filter((line) => line.startsWith('id: ')).map((line) => line.slice(4));
    expect([...ids, ...later]).toEqual((await logOf(gateway)).map(({ id }) => id));
  });

  test('hears the same over lines of JSON as over server-sent events', async () => {
    await using gateway = await bench();
    const url = `${gateway.running.url}/my/projects/p1/chat/s1/events/?since=0`;
    await (await gateway.connect('s1')).close();
    const lines = curl([url, '-H', 'Accept: application/x-ndjson'], (line) =>
      line.includes('task_completed'),
    );
    const frames = curl([url], (line) => line.startsWith('data: {"type":"task_completed"'));
    // A status passes: only who listens by then hears it.
    await Promise.all(opened.splice(0));
    await playTurn(gateway, 'go');
    const fromLines = (await lines).map((line) => decodePluginEvent(JSON.parse(line)));
    const fromFrames = readFrames(await frames);
    const lasting = (events: { seq?: number }[]) => events.filter(({ seq }) => seq !== undefined);
    expect(lasting(fromLines)).toEqual(lasting(fromFrames));
    expect(lasting(fromLines).length).toBeGreaterThan(5);
    expect(new Set(fromLines.map(({ type }) => type))).toContain('agent_status_changed');
  });
});

// Debian’s own has the package even where another one comes first in the path.
const python = ['python3', '/usr/bin/python3'].find(
  (one) => spawnSync(one, ['-c', 'import websockets']).status === 0,
);

test.skipIf(python === undefined)(
  'Python’s websockets plays a whole turn with an approval; its second socket hears the same',
  async () => {
    await using gateway = await bench();
    const script = join(import.meta.dirname, '../support', 'play-turn.py');
    const child = spawn(String(python), [
      script,
      `${gateway.running.url.replace('http', 'ws')}/api/v1/ws/s1`,
      token,
    ]);
    let text = '';
    let trouble = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (trouble += chunk.toString()));
    await once(child, 'close');
    expect(trouble).toBe('');
    const { first, second, again, extensions } = JSON.parse(text) as Record<string, Json[]>;
    expect(extensions).toEqual(['permessage-deflate']);
    const logged = (messages: Json[] = []) => messages.filter(({ seq }) => seq !== undefined);
    expect(logged(first)).toMatchObject([
      { type: 'user_message', content: 'Проанализируй big.txt' },
      { type: 'tool_call', tool_name: 'read_file' },
      { type: 'tool_result', result: { content: big } },
      { type: 'tool_call', tool_name: 'write_file', requires_approval: true },
      { type: 'status', metadata: { state: 'decided' } },
      { type: 'status', metadata: { state: 'running' } },
      { type: 'tool_result', result: { success: true } },
      { type: 'assistant_message', content: 'Done 1.', is_final: true },
      { type: 'done', status: 'completed' },
    ]);
    expect(logged(second)).toEqual(logged(first));
    expect(logged(again)).toEqual(logged(first));
    expect(readFileSync(join(gateway.root, 'b0.txt'), 'utf8')).toBe('new\n');
    expect(gateway.faults).toEqual([]);
  },
);

const eventTypes = [
  ...['session.opened', 'session.titled', 'turn.started', 'model.replied', 'turn.ended', 'rule.remembered'],
  ...['call.received', 'call.planned', 'call.started', 'call.taken', 'call.finished'],
  ...['approval.requested', 'approval.warned', 'approval.decided', 'approval.expired'],
  ...['context.changed', 'context.compacted'],
];

/** The lines that curl prints until one fits; then it is ended. */
const opened: Promise<void>[] = [];

async function curl(args: string[], matches: (line: string) => boolean): Promise<string[]> {
  const child = spawn('curl', ['-siN', '--max-time', '25', '-H', `Authorization: Bearer ${token}`, ...args]);
  const { promise, resolve } = Promise.withResolvers<void>();
  opened.push(promise);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === '') resolve();
    if (matches(line)) break;
  }
  child.kill();
  return lines.slice(lines.indexOf('') + 1);
}

function readFrames(lines: string[]): ReturnType<typeof decodePluginEvent>[] {
  let id: string | undefined;
  return lines.flatMap((line) => {
    if (line.startsWith('id: ')) id = line.slice(4);
    if (!line.startsWith('data: ')) return [];
    const event = decodePluginEvent(JSON.parse(line.slice(6)), id);
    id = undefined;
    return [event];
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Counts, and tells when a number is reached. */
function collector(): { add(): void; reach(count: number): Promise<void> } {
  let count = 0;
  let check: () => void = () => undefined;
  return {
    add() {
      count++;
      check();
    },
    reach: (target) =>
      new Promise((resolve) => {
        check = () => count >= target && resolve();
        check();
      }),
  };
}
