// The log on NATS against the bare client of the same server, in the same run: appends, and a decision at one gateway until its call starts at
// another. Left out where there is no nats-server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { openJetStreamLog } from '../apps/server/src/log/jetstream/jetstream-log.ts';
import { natsProgram, startNatsServers } from '../test/support/nats-servers.ts';
import { type SpawnedGateway, spawnGateway } from '../test/support/spawn-gateway.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const atOnce = 32;
const rounds = 5;
const perRound = { alone: 200, together: 1500 };
/** So many of gateways that were just started, which run most of their code for the first times, then so many more. */
const decisions = 40;
const token = 'a-long-token';
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
    ...(await decisionRows(servers.url, { nc, publish: () => js.publish('bare.decision', payload) })),
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

type Bare = { nc: Awaited<ReturnType<typeof connect>>; publish(): Promise<unknown> };

/** From the request with the decision to the start in the log: at a gateway without the session, and at the one that has it. */
async function decisionRows(url: string, bare: Bare): Promise<Row[]> {
  using place = scratch();
  const address = `${url}/decided`;
  const spawn = (name: string): Promise<SpawnedGateway> => {
    mkdirSync(join(place.folder, name));
    return spawnGateway({ root: place.root, home: join(place.folder, name), log: address });
  };
  await using a = await spawn('a');
  await using b = await spawn('b');
  const log = await openJetStreamLog(address);
  const heads: Heads = new Map();
  log.watchHeads?.((session, seq) => heads.get(session)?.(seq));
  const [first, then]: [Measured, Measured] = [newMeasured(), newMeasured()];
  bare.nc.subscribe('echo', { callback: (_, message) => void message.respond(message.data) });
  const echo = (): Promise<unknown> => bare.nc.request('echo', 'x'.repeat(200));
  // The measurements take turns, so that other load on the machine slows all of them.
  for (let n = 0; n < 2 * decisions; n++) {
    const { away, here, replies, stores } = n < decisions ? first : then;
    away.push(await decide({ at: a, owner: b, heads, log }));
    here.push(await decide({ at: b, owner: b, heads, log }));
    replies.push(await timed(echo));
    stores.push(await timed(async () => void [await bare.publish(), await bare.publish(), await echo()]));
  }
  await log.close();
  const atFirst = decisionTable(first).slice(0, 1);
  return [
    ...atFirst.map((row) => ({ ...row, name: `${row.name}, the first ${decisions}` })),
    ...decisionTable(then),
  ];
}

type Measured = { away: Decided[]; here: Decided[]; replies: number[]; stores: number[] };

function newMeasured(): Measured {
  return { away: [], here: [], replies: [], stores: [] };
}

function decisionTable({ away, here, replies, stores }: Measured): Row[] {
  const of = (list: readonly Decided[], name: keyof Decided): number =>
    part(
      list.map((times) => times[name]),
      0.5,
    );
  const [median, hereMs] = [of(away, 'started'), of(here, 'started')];
  const parts = `stored ${ms(of(away, 'decided'))}, then planned and started ${ms(of(away, 'between'))}`;
  const against = (name: string, ours: string, baseline: [string, number], goal: number): Row =>
    row(name, ours, `${baseline[0]} ${ms(baseline[1])}`, { ratio: median / baseline[1], goal });
  return [
    against(
      'a decision at one gateway to the start at another',
      ms(median),
      ['request', part(replies, 0.5)],
      5,
    ),
    against(
      'the same, against what must be stored',
      parts,
      ['2 publishes, a request', part(stores, 0.5)],
      2.5,
    ),
    against('the same, against a decision at the gateway itself', ms(median), ['there', hereMs], 2),
  ];
}

/** Called with the last entry of a session. */
type Heads = Map<string, (seq: number) => void>;

type Deciding = {
  at: SpawnedGateway;
  owner: SpawnedGateway;
  heads: Heads;
  log: Awaited<ReturnType<typeof openJetStreamLog>>;
};

/** Milliseconds from the request until the decision and the start are seen in the log, and between them. */
type Decided = { decided: number; started: number; between: number };

async function decide({ at, owner, heads, log }: Deciding): Promise<Decided> {
  const { session_id: session = '' } = await post(owner, '/sessions', {});
  const call = post(owner, `/sessions/${session}/calls`, {
    tool: 'run_command',
    args: { command: 'true > x' },
  });
  const { approval, seq } = await waitForApproval(log, session);
  const { promise: isStarted, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  const times = { decided: 0, started: 0 };
  heads.set(session, (last) => {
    if (last > seq) times.decided ||= performance.now() - start;
    if (last < seq + 2) return;
    times.started ||= performance.now() - start;
    resolve();
  });
  const decision = { approval_id: approval, decision: { kind: 'approve' } };
  await Promise.all([isStarted, post(at, `/sessions/${session}/decisions`, decision)]);
  heads.delete(session);
  await call;
  return { ...times, between: times.started - times.decided };
}

async function waitForApproval(
  log: Deciding['log'],
  session: string,
): Promise<{ approval: string; seq: number }> {
  const stop = new AbortController();
  for await (const { seq, body: found } of log.subscribe(session, { since: 0, signal: stop.signal }))
    if (found.type === 'approval.requested') {
      stop.abort();
      return { approval: found.approval.id, seq };
    }
  throw new Error('nothing was asked');
}

async function post({ url }: SpawnedGateway, path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
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
