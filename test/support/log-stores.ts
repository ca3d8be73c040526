// The stores for a session log, each with the functions for a conformance test: several clients of one log, and a crash of its server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionLog } from '@codelab/protocol';
import { openSqliteLog } from '@codelab/server';
import { openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import type { StoredLog } from '../../apps/server/src/log/open-log.ts';
import type { Sealing } from '../../apps/server/src/log/seals/sealer.ts';
import { type NatsServers, natsProgram, startNatsServers } from './nats-servers.ts';

export type LogStore = AsyncDisposable & {
  /** Opens another client of the log of that name. */
  open(name: string): Promise<SessionLog>;
  /** Likewise, as a program opens it that seals its appends. */
  openSealed(name: string, sealing: Sealing): Promise<StoredLog>;
  /** Ends what keeps the logs without a warning, and starts it again. */
  crash(): Promise<void>;
};

export const logStores: Record<string, { isMissing: boolean; start(): Promise<LogStore> }> = {
  SQLite: { isMissing: false, start: startSqlite },
  'a nats-server': { isMissing: natsProgram === undefined, start: () => startNats(1) },
  'a cluster of three nats-servers': { isMissing: natsProgram === undefined, start: () => startNats(3) },
};

async function startSqlite(): Promise<LogStore> {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-stores-'));
  return {
    open: async (name) => openSqliteLog(join(folder, name)),
    openSealed: async (name, sealing) => openSqliteLog(join(folder, name), undefined, sealing),
    // The SQLite log has no process to crash: another connection finds the acknowledged entries.
    crash: async () => undefined,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNats(count: 1 | 3): Promise<LogStore> {
  const servers: NatsServers = await startNatsServers({ count });
  let next = 0;
  return {
    open: (name) => openJetStreamLog(`${servers.url}/${name}?wait=20`),
    openSealed: (name, sealing) =>
      openJetStreamLog(`${servers.url}/${name}?wait=20`, {}, { home: join(tmpdir(), 'no-home'), sealing }),
    async crash() {
      const i = next++ % count;
      await servers.kill(i);
      await servers.start(i);
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };
}
