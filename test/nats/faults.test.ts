// Failures of NATS servers: every one says its next step, nothing runs without its record, and work continues when they are back.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EventBody } from '@codelab/protocol';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../support/nats-servers.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { outageSeconds, testLog, testLogVariable } from '../support/test-log.ts';
import { canMount, fillDisk, mountTmpfs } from '../support/tmpfs.ts';
import { createSession, json } from '../support/web-api.ts';

const opened: EventBody = { type: 'session.opened', workspace: '/w' };
const outageMs = outageSeconds * 1000;
const titledEvent = (title: string): EventBody => ({ type: 'session.titled', title });

describe.skipIf(natsProgram === undefined)('a session log on NATS', () => {
  let servers: NatsServers;
  let url: string;
  beforeAll(async () => {
    servers = await startNatsServers({ config: 'authorization { user: lab, password: secret }' });
    url = servers.url.replace('nats://', 'nats://lab:secret@');
  });
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
  });

  test('says what is wrong with its address, its sign-in and its files', async () => {
    const wrong: [string, object][] = [
      [
        'nats://127.0.0.1:1',
        { code: 'IO_ERROR', message: expect.stringContaining('start it, or correct --log') },
      ],
      [servers.url, { code: 'PERMISSION_DENIED', message: expect.stringContaining('--nats-creds') }],
      [
        url.replace('secret', 'guess'),
        { code: 'PERMISSION_DENIED', message: expect.not.stringContaining('guess') },
      ],
      [`${url}?replica=3`, { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('replicas') }],
      ['nats://', { code: 'INVALID_ARGUMENTS' }],
    ];
    for (const [words, error] of wrong)
      await expect(openJetStreamLog(words), words).rejects.toMatchObject(error);
    await expect(openJetStreamLog(url, { creds: '/no/such.creds' })).rejects.toMatchObject({
      message: expect.stringContaining('/no/such.creds'),
    });
  });

  test('a full log refuses appends, keeps what it has, and takes more once there is space', async () => {
    const log = await openJetStreamLog(`${url}/full?max_bytes=1000000&wait=3`);
    await log.append('s', [opened], { expected: 0 });
    let seq = 1;
    const fill = async (): Promise<never> => {
      for (;;)
        seq =
          (await log.append('s', [titledEvent('x'.repeat(30_000))], { expected: seq })).at(-1)?.seq ?? seq;
    };
    await expect(fill()).rejects.toMatchObject({ code: 'NO_SPACE' });
    expect(await log.read('s')).toHaveLength(seq);
    expect(await log.prove('s', new AbortController().signal)).toBeUndefined();
    const nc = await connect({ servers: servers.addresses, user: 'lab', pass: 'secret' });
    await (await jetstreamManager(nc)).streams.update('full_log', { max_bytes: 4_000_000 });
    await nc.close();
    await log.append('other', [opened], { expected: 0 });
    await log.close();
  });

  test('with a full log nothing runs; with space it does', { timeout: 60_000 }, async () => {
    process.env[testLogVariable] = url;
    const nc = await connect({ servers: servers.addresses, user: 'lab', pass: 'secret' });
    try {
      await using bench = await gatewayBench();
      const session = await createSession(bench);
      const { log: address = '' } = testLog(bench.home);
      const stream = `${new URL(address).pathname.slice(1)}_log`;
      const limit = async (bytes: number): Promise<void> => {
        await (await jetstreamManager(nc)).streams.update(stream, { max_bytes: bytes });
      };
      await limit(500_000);
      const log = await openJetStreamLog(address);
      let seq = (await log.append('filler', [opened], { expected: 0 })).length;
      for (const chars of [30_000, 3000, 300, 1]) {
        const fill = async (): Promise<never> => {
          for (;;)
            seq =
              (await log.append('filler', [titledEvent('x'.repeat(chars))], { expected: seq })).at(-1)?.seq ??
              seq;
        };
        await expect(fill()).rejects.toMatchObject({ code: 'NO_SPACE' });
      }
      await log.close();
      const call = (id: string) =>
        json(bench, `/sessions/${session}/calls`, 'POST', {
          ...{ tool: 'write_file', args: { path: 'a.txt', content: 'x' }, call_id: id, approve: true },
        });
      expect(JSON.stringify(await call('c1'))).toContain('NO_SPACE');
      expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
      await limit(4_000_000);
      expect(await call('c2')).toMatchObject([200, { outcome: { status: 'completed' } }]);
      expect(existsSync(join(bench.root, 'a.txt'))).toBe(true);
    } finally {
      delete process.env[testLogVariable];
      await nc.close();
    }
  });

  test.runIf(canMount())(
    'a full disk of the servers refuses appends, and takes more once there is room',
    async () => {
      using scratch = scratchFolder();
      const store = join(scratch.folder, 'store');
      using _disk = mountTmpfs(store, 'size=16m');
      await using full = await startNatsServers({ store, jetstream: 'sync_interval: always' });
      const log = await openJetStreamLog(`${full.url}?wait=5`);
      await log.append('s', [opened], { expected: 0 });
      const filler = fillDisk(store);
      const refused = { code: 'NO_SPACE', message: expect.stringContaining('nothing was recorded') };
      // The last block of the disk may have room for a short one.
      const long = titledEvent('x'.repeat(30_000));
      await expect(log.append('s', [long], { expected: 1 })).rejects.toMatchObject(refused);
      await expect(log.append('t', [opened, long], { expected: 0 })).rejects.toMatchObject(refused);
      expect((await log.read('s')).map(({ seq }) => seq)).toEqual([1]);
      rmSync(filler);
      expect((await log.append('s', [long], { expected: 1 })).map(({ seq }) => seq)).toEqual([2]);
      expect(await log.read('t')).toEqual([]);
      expect(await log.prove('s', new AbortController().signal)).toBeUndefined();
      await log.close();
    },
  );

  test('a stream that was deleted is told as such, not begun anew', async () => {
    const log = await openJetStreamLog(`${url}/gone?wait=5`);
    await log.append('s', [opened], { expected: 0 });
    const nc = await connect({ servers: servers.addresses, user: 'lab', pass: 'secret' });
    await (await jetstreamManager(nc)).streams.delete('gone_log');
    await nc.close();
    const damaged = { code: 'LOG_DAMAGED', message: expect.stringContaining('Restore it from a backup') };
    await expect(log.append('s', [titledEvent('a')], { expected: 1 })).rejects.toMatchObject(damaged);
    await expect(log.read('s')).rejects.toMatchObject(damaged);
    await log.close();
  });

  test('while no server answers nothing runs; what was approved runs, once, when it is back', {
    timeout: 60_000 + outageMs,
  }, async () => {
    process.env[testLogVariable] = url;
    try {
      await using bench = await gatewayBench();
      const client = await bench.connect('s1');
      const args = { path: 'a.txt', content: 'x' };
      client.send({ type: 'tool_call', tool_name: 'write_file', call_id: 'c1', args });
      await client.next('tool_call');
      expect((await bench.request('/health/ready')).status).toBe(200);
      await servers.kill();
      await expect.poll(async () => (await bench.request('/health/ready')).status).toBe(503);
      expect(await (await bench.request('/health/ready')).json()).toMatchObject({
        checks: { broker: 'failing' },
      });
      client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
      expect((await bench.request('/health/ready')).status).toBe(503);
      await setTimeout(outageMs);
      expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
      await servers.start();
      await expect.poll(() => existsSync(join(bench.root, 'a.txt')), { timeout: 20_000 }).toBe(true);
      expect((await bench.request('/health/ready')).status).toBe(200);
      await client.close();
    } finally {
      delete process.env[testLogVariable];
    }
  });
});
