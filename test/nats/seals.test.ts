// Attacks on a sealed log on NATS by someone who can write to its streams, and their detection.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JetStreamLog, openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { opened, titledEvent } from '../support/audit-bench.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../support/nats-servers.ts';

describe.skipIf(natsProgram === undefined)('a sealed log on NATS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-nats-seals-'));
  const keys = join(folder, 'keys');
  let servers: NatsServers;
  let nc: NatsConnection;
  let jsm: JetStreamManager;
  let count = 0;
  beforeAll(async () => {
    servers = await startNatsServers();
    nc = await connect({ servers: servers.addresses });
    jsm = await jetstreamManager(nc);
  });
  afterAll(async () => {
    await nc?.close();
    await servers?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (name: string, sealing: object = { keys }): Promise<JetStreamLog> =>
    openJetStreamLog(`${servers.url}/${name}?wait=5`, {}, { home: join(folder, 'home'), sealing });

  /** With two sealed sessions, of three and two entries; one of them was read, so that it is kept in memory. */
  async function sealedLog(): Promise<{ name: string; log: JetStreamLog }> {
    const name = `attacked${++count}`;
    const first = await open(name);
    await first.append('s1', [opened, titledEvent('a')], { expected: 0 });
    await first.append('s1', [titledEvent('b')], { expected: 2 });
    await first.append('s2', [opened, titledEvent('c')], { expected: 0 });
    await first.close();
    const log = await open(name);
    await log.read('s1');
    expect(await log.audit()).toMatchObject({ proof: { entries: { proven: 5, unsealed: 0 } } });
    return { name, log };
  }

  test('notices a session that was written anew with hashes that fit', async () => {
    const { name, log } = await sealedLog();
    await jsm.streams.purge(`${name}_log`, { filter: `${name}.log.s1` });
    const forger = await openJetStreamLog(`${servers.url}/${name}`);
    await forger.append('s1', [opened, titledEvent('forged'), titledEvent('b')], { expected: 0 });
    await forger.close();
    const reader = await open(name);
    const { damage } = await reader.audit();
    expect(damage).toMatchObject({
      session: 's1',
      seq: 3,
      problem: expect.stringContaining('was rewritten'),
    });
    expect(await reader.prove('s1', new AbortController().signal)).toEqual(damage);
    await reader.close();
    await log.close();
  });

  test('notices a message that was removed, also where it is still kept in memory', async () => {
    const { name, log } = await sealedLog();
    const last = await jsm.streams.getMessage(`${name}_log`, { last_by_subj: `${name}.log.s1` });
    await jsm.streams.deleteMessage(`${name}_log`, (last?.seq ?? 0) - 1);
    const damage = await log.prove('s1', new AbortController().signal);
    expect(damage).toMatchObject({ session: 's1', seq: 1, problem: 'Entry 1 is missing.' });
    await log.close();
  });

  test('notices a session that is gone without a signed deletion', async () => {
    const { name, log } = await sealedLog();
    await log.close();
    const forger = await openJetStreamLog(`${servers.url}/${name}`);
    await forger.delete('s2', { who: 'ann', via: 'web' });
    await forger.close();
    const reader = await open(name);
    const { damage } = await reader.audit();
    expect(damage).toMatchObject({ session: 's2', problem: expect.stringContaining('no signed deletion') });
    await reader.close();
  });

  test('notices seals that were removed, and lets nobody remove single ones', async () => {
    const { name, log } = await sealedLog();
    await expect(jsm.streams.deleteMessage(`${name}_seals`, 1)).rejects.toThrow();
    await expect(jsm.streams.purge(`${name}_seals`)).rejects.toThrow();
    await jsm.streams.delete(`${name}_seals`);
    await log.close();
    const reader = await open(name);
    const { damage } = await reader.audit();
    expect(damage).toMatchObject({
      session: '',
      problem: expect.stringContaining('the log was truncated, replaced or restored from a backup'),
    });
    await reader.close();
  });

  test('has seals of at most 2000 sessions, one after the other', { timeout: 60_000 }, async () => {
    const name = `many${++count}`;
    const log = await open(name);
    await Promise.all(Array.from({ length: 2100 }, (_, i) => log.append(`s${i}`, [opened], { expected: 0 })));
    await log.close();
    const reader = await open(name);
    const heads: number[] = [];
    for await (const line of reader.exportLines([], { seals: true }))
      heads.push(JSON.parse(JSON.parse(line).text).heads.length);
    expect(heads).toEqual([2000, 100]);
    await reader.close();
  });
});
