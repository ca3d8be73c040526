// Appends to the log on NATS against the bare client of the same server, in the same run. Left out where there is no nats-server.
import type { EventBody } from '@codelab/protocol';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { openJetStreamLog } from '../apps/server/src/log/jetstream/jetstream-log.ts';
import { natsProgram, startNatsServers } from '../test/support/nats-servers.ts';
import type { Row } from './row.ts';

const atOnce = 32;
const rounds = 5;
const perRound = { alone: 200, together: 1500 };
const body: EventBody = { type: 'session.titled', title: 'x'.repeat(400) };

type Send = (session: number) => Promise<unknown>;
type Figures = { rate: number; p50: number; p99: number };

export async function natsCost(): Promise<Row[]> {
  if (natsProgram === undefined) return [];
  await using servers = await startNatsServers({ jetstream: 'sync_interval: always' });
  const log = await openJetStreamLog(servers.url);
  const nc = await connect({ servers: servers.addresses });
  await (await jetstreamManager(nc)).streams.add({ name: 'bare', subjects: ['bare.*'] });
  const js = jetstream(nc);
  const heads = new Map<number, number>();
  // As long as the log's messages: entries, numbers and hashes, and the header.
  const payload = JSON.stringify(body).padEnd(1150, ' ');
  const append: Send = async (n) => {
    const expected = heads.get(n) ?? 0;
    const bodies: EventBody[] = expected === 0 ? [{ type: 'session.opened', workspace: '/w' }] : [body];
    heads.set(n, (await log.append(`s${n}`, bodies, { expected })).at(-1)?.seq ?? expected);
  };
  const [ours, bare] = await inTurns([append, (n) => js.publish(`bare.s${n}`, payload)]);
  const rows = [
    row(`appends to NATS, ${atOnce} sessions at once`, perSecond(ours), `publish ${perSecond(bare)}`, {
      ratio: bare.rate / ours.rate,
      goal: 2,
    }),
    row('an append to NATS, alone, 99 of 100', ms(ours.p99), `publish ${ms(bare.p99)}`, {
      ratio: ours.p99 / bare.p99,
      goal: 2,
    }),
  ];
  await Promise.all([log.close(), nc.close()]);
  return rows;
}

async function inTurns(subjects: readonly [Send, Send]): Promise<[Figures, Figures]> {
  const alone: [number[], number[]] = [[], []];
  const rates: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++)
    for (const i of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const each: number[] = [];
      for (let n = 0; n < perRound.alone; n++) each.push(await timed(() => subjects[i](0)));
      const many = await timed(() =>
        Promise.all(
          Array.from({ length: atOnce }, async (_, session) => {
            for (let n = session; n < perRound.together; n += atOnce) await subjects[i](session);
          }),
        ),
      );
      if (round < 0) continue;
      alone[i].push(...each);
      rates[i].push((perRound.together * 1000) / many);
    }
  const figures = (i: 0 | 1): Figures => ({
    rate: part(rates[i], 0.5),
    p50: part(alone[i], 0.5),
    p99: part(alone[i], 0.99),
  });
  return [figures(0), figures(1)];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function part(list: readonly number[], share: number): number {
  return list.toSorted((x, y) => x - y)[Math.floor(list.length * share)] ?? Number.NaN;
}

const perSecond = ({ rate }: Figures): string => `${Math.round(rate)}/s`;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

function row(name: string, ours: string, baseline: string, more: Pick<Row, 'ratio' | 'goal'>): Row {
  return { name, ours, baseline, ...more };
}
