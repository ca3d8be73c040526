// The cost of one append, one read and one message of the feed on three real nats-servers with three replicas, on this machine. In
// processor time, which shows the capacity of a core whatever else the machine does; `npm run simulate -- --measure` prints it.
import { readdirSync, readFileSync } from 'node:fs';
import type { EventBody } from '@codelab/protocol';
import { openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { startNatsServers } from '../../test/support/nats-servers.ts';

export type UnitCosts = {
  /** By one gateway on one machine with the servers, with 64 sessions. */
  appendsPerSecond: number;
  /** Milliseconds of processor time. `server`: of all three together. */
  gateway: { append: number; read: number; heard: number };
  server: { append: number; read: number; heard: number };
};

const sessions = 2000;
const atOnce = 64;
const appendsEach = 3;
const opened: EventBody = { type: 'session.opened', workspace: '/srv/project' };
const titledEvent: EventBody = { type: 'session.titled', title: 'x'.repeat(700) };

export async function measureUnitCosts(): Promise<UnitCosts> {
  await using servers = await startNatsServers({ count: 3 });
  const log = await openJetStreamLog(servers.url);
  const ids = Array.from({ length: sessions }, (_, i) => `s${i}`);
  await eachOf(ids, (id) => log.append(id, [opened], { expected: 0 }));
  const append = await spent(async () => {
    for (let n = 1; n <= appendsEach; n++)
      await eachOf(ids, (id) => log.append(id, [titledEvent], { expected: n }));
  });
  const read = await spent(() => eachOf(ids, (id) => log.read(id, { since: appendsEach })));
  const other = await openJetStreamLog(servers.url);
  const listCost = await spent(() => other.sessions());
  await Promise.all([log.close(), other.close()]);
  const appends = sessions * appendsEach;
  return {
    appendsPerSecond: (appends * 1000) / append.wall,
    gateway: { append: append.own / appends, read: read.own / sessions, heard: listCost.own / sessions },
    server: {
      append: append.servers / appends,
      read: read.servers / sessions,
      heard: listCost.servers / sessions,
    },
  };
}

async function eachOf(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  const remaining = ids.values();
  const worker = async (): Promise<void> => {
    for (const id of remaining) await work(id);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

type Spent = { wall: number; own: number; servers: number };

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [cpuBefore, servers, start] = [process.cpuUsage(), serverTime(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall: performance.now() - start, own: (user + system) / 1000, servers: serverTime() - servers };
}

const tickMs = 10;

/** Milliseconds of processor time of the servers that this process started. */
function serverTime(): number {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(pid))
    .filter(({ name, parent }) => name === 'nats-server' && parent === process.pid)
    .map(({ time }) => time);
  return ticks.reduce((sum, time) => sum + time, 0) * tickMs;
}

function statOf(pid: string): { name: string; parent: number; time: number } {
  try {
    const [, name = '', rest = ''] =
      /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return { name, parent: Number(fields[1]), time: Number(fields[11]) + Number(fields[12]) };
  } catch {
    // The process ended between the listing and this read.
    return { name: '', parent: 0, time: 0 };
  }
}
