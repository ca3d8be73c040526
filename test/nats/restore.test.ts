// A log whose streams were deleted and restored from a backup: gateways that are open go on by themselves, and the record is whole.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JetStreamLog, openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { opened, titledEvent } from '../support/audit-bench.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../support/nats-servers.ts';
import { backupStream, restoreStream, type StreamBackup } from '../support/stream-backup.ts';

describe.skipIf(natsProgram === undefined)('a log on NATS that is restored from a backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-restore-'));
  let servers: NatsServers;
  let nc: NatsConnection;
  beforeAll(async () => {
    servers = await startNatsServers();
    nc = await connect({ servers: servers.addresses });
  });
  afterAll(async () => {
    await nc?.close();
    await servers?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (name: string): Promise<JetStreamLog> =>
    openJetStreamLog(
      `${servers.url}/${name}?wait=5`,
      {},
      { home: join(folder, 'home'), sealing: { keys: join(folder, 'keys') } },
    );
  const streamsOf = (name: string): string[] => [`${name}_seals`, `${name}_log`, `${name}_texts`];

  async function backUp(name: string): Promise<Map<string, StreamBackup>> {
    const found = new Map<string, StreamBackup>();
    for (const stream of streamsOf(name)) found.set(stream, await backupStream(nc, stream));
    return found;
  }

  async function remove(name: string): Promise<void> {
    const jsm = await jetstreamManager(nc);
    for (const stream of streamsOf(name)) await jsm.streams.delete(stream);
  }

  /** Three entries in two messages, one with a long text; all are sealed. */
  async function recorded(name: string): Promise<void> {
    const log = await open(name);
    await log.append('s', [opened, titledEvent('x'.repeat(100_000))], { expected: 0 });
    await log.append('s', [titledEvent('b')], { expected: 2 });
    await log.close();
  }

  test('goes on where it was, in the same process', { timeout: 60_000 }, async () => {
    await recorded('back');
    const log = await open('back');
    const before = await log.read('s');
    const backup = await backUp('back');
    await remove('back');
    await expect(log.append('s', [titledEvent('c')], { expected: 3 })).rejects.toMatchObject({
      code: 'LOG_DAMAGED',
    });
    await expect(log.read('s')).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    for (const [stream, copy] of backup) await restoreStream(nc, stream, copy);
    expect(await log.read('s')).toEqual(before);
    const following = follow(log, 4);
    await log.append('s', [titledEvent('c')], { expected: 3 });
    expect(await following).toBe(4);
    expect(await log.audit()).toMatchObject({
      damage: undefined,
      proof: { entries: { proven: 3, unsealed: 1 } },
    });
    await log.close();
    const reader = await open('back');
    expect(await reader.audit()).toMatchObject({ damage: undefined, proof: { entries: { proven: 4 } } });
    await reader.close();
  });

  test('that is older than what was recorded says so: newer seals are missed', {
    timeout: 60_000,
  }, async () => {
    await recorded('older');
    const backup = await backUp('older');
    const log = await open('older');
    await log.append('s', [titledEvent('lost')], { expected: 3 });
    await log.close();
    await remove('older');
    for (const [stream, copy] of backup) await restoreStream(nc, stream, copy);
    const reader = await open('older');
    const { damage } = await reader.audit();
    expect(damage?.problem).toContain('the log was truncated, replaced or restored from a backup');
    expect(await reader.read('s')).toHaveLength(3);
    await reader.close();
  });
});

async function follow(log: JetStreamLog, last: number): Promise<number> {
  const stop = new AbortController();
  for await (const { seq } of log.subscribe('s', { since: 3, signal: stop.signal })) {
    if (seq === last) stop.abort();
    return seq;
  }
  return 0;
}
