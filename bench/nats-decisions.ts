// A decision at one gateway until its call starts at another, against a bare request over NATS, and against a bare program that does only
// the hops which nobody can leave out, in the same run. Left out where there is no nats-server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { openJetStreamLog } from '../apps/server/src/log/jetstream/jetstream-log.ts';
import { natsProgram, startNatsServers } from '../test/support/nats-servers.ts';
import { type BareHops, type Child, startBareHops, startChild } from './nats/bare-hops.ts';
import { type Mark, sharedNow } from './nats/hops.ts';
import { post, token } from './nats/post.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

/** So many of gateways that were just started, which run most of their code for the first times; then after many more. */
const firstDecisions = 40;
const warmDecisions = 1000;
const steadyDecisions = 100;
const atOnce = 4;
const restMs = 5;

type Subjects = {
  away(): Promise<Decided>;
  here(): Promise<Decided>;
  /** Milliseconds of something else, where a decision would have been given, so that the machine was as busy before. */
  other(work: () => Promise<number>): Promise<number>;
  hops: BareHops;
  /** Resolves with the time of the reply. */
  reply(): Promise<number>;
  warmUp(): Promise<unknown>;
};

export async function natsDecisions(): Promise<Row[]> {
  if (natsProgram === undefined) return [];
  await using servers = await startNatsServers({ jetstream: 'sync_interval: always' });
  using place = scratch();
  const address = `${servers.url}/decided`;
  const gateway = (name: string): Promise<Child> => {
    mkdirSync(join(place.folder, name));
    return startChild('gateway-child.ts', [place.root, join(place.folder, name), address, token]);
  };
  await using a = await gateway('a');
  await using b = await gateway('b');
  const nc = await connect({ servers: servers.addresses, noAsyncTraces: true });
  const log = await openJetStreamLog(address);
  await using hops = await startBareHops(nc, servers.addresses[0] ?? '');
  nc.subscribe('echo', { callback: (_, message) => void message.respond(message.data) });
  const reply = async (): Promise<number> => {
    await nc.request('echo', 'x'.repeat(200));
    return sharedNow();
  };
  const parts = { a, b, log, before: () => quiet(a, b) };
  const subjects: Subjects = {
    ...{ hops, reply },
    away: () => decide({ ...parts, at: a }),
    here: () => decide({ ...parts, at: b }),
    async other(work) {
      let took = 0;
      const before = async (): Promise<void> => {
        await quiet(a, b);
        const start = sharedNow();
        took = (await work()) - start;
      };
      await decide({ ...parts, at: a, before });
      return took;
    },
    warmUp: () => decide({ ...parts, at: a, before: undefined }),
  };
  const first = await measure(subjects, firstDecisions);
  await warmUpAll(subjects);
  const steady = await measure(subjects, steadyDecisions);
  await Promise.all([log.close(), nc.close()]);
  return [...rows(first, `, the first ${firstDecisions}`).slice(0, 1), ...rows(steady, '')];
}

async function warmUpAll({ warmUp, hops, reply }: Subjects): Promise<void> {
  let left = warmDecisions;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await warmUp();
  };
  const bare = async (): Promise<void> => {
    for (; left > 0; await reply()) await hops.run(2);
  };
  await Promise.all([bare(), ...Array.from({ length: atOnce }, lane)]);
}

type Measured = { away: Decided[]; here: Decided[]; two: number[]; one: number[]; reply: number[] };

/** The measurements take turns, so that other load on the machine slows all of them. */
async function measure({ away, here, other, hops, reply }: Subjects, count: number): Promise<Measured> {
  const measured: Measured = { away: [], here: [], two: [], one: [], reply: [] };
  for (let n = 0; n < count; n++) {
    measured.away.push(await away());
    measured.here.push(await here());
    measured.two.push(await other(() => hops.run(2)));
    measured.one.push(await other(() => hops.run(1)));
    measured.reply.push(await other(reply));
  }
  return measured;
}

/** Waits until the gateways have nothing left to do. */
async function quiet(a: Child, b: Child): Promise<void> {
  for (let n = 0; n < 2; n++) {
    await rest(restMs);
    await Promise.all([a.ask(), b.ask()]);
  }
}

function rows({ away, here, two, one, reply }: Measured, when: string): Row[] {
  const all = (list: readonly Decided[]): number => median(list.map(({ all }) => all));
  const row = (name: string, mine: string, value: number, against: [string, number], goal: number): Row => ({
    name: `${name}${when}`,
    ours: mine,
    baseline: `${against[0]} ${ms(against[1])}`,
    ratio: value / against[1],
    goal,
  });
  const [ours, request]: [number, [string, number]] = [all(away), ['request', median(reply)]];
  const hops: [string, number] = ['bare hops', median(two)];
  return [
    row('a decision at one gateway to the start at another', ms(ours), ours, request, 5),
    row('bare hops with two messages, one after the other', ms(hops[1]), hops[1], request, 5),
    row('bare hops with one message', ms(median(one)), median(one), request, 5),
    row('a decision against the bare hops with two messages', waysOf(away), ours, hops, 2.5),
    row('a decision against one at the gateway itself', ms(ours), ours, ['there', all(here)], 2),
  ];
}

/** `ways`: milliseconds between two edges that the decision passes. */
type Decided = { all: number; ways: Record<string, number> };

function waysOf(list: readonly Decided[]): string {
  const names = Object.keys(list[0]?.ways ?? {});
  return names
    .map((name) => `${name} ${median(list.map(({ ways }) => ways[name] ?? 0)).toFixed(2)}`)
    .join(', ');
}

type Deciding = Record<'a' | 'b' | 'at', Child> & {
  log: Awaited<ReturnType<typeof openJetStreamLog>>;
  /** Called before the decision; without it nothing is noted. */
  before: (() => Promise<void>) | undefined;
};

/** From the request with the decision until its gateway knows that the start is stored: then the call begins. */
async function decide({ at, a, b, log, before }: Deciding): Promise<Decided> {
  const { session_id: session = '' } = await post(b.url, '/sessions', {});
  const call = post(b.url, `/sessions/${session}/calls`, {
    tool: 'run_command',
    args: { command: 'true > x' },
  });
  const approval = await waitForApproval(log, session);
  await before?.();
  const start = sharedNow();
  const decision = { approval_id: approval, decision: { kind: 'approve' } };
  await Promise.all([call, post(at.url, `/sessions/${session}/decisions`, decision)]);
  return before ? waysBetween(start, await a.ask<Mark[]>(), await b.ask<Mark[]>()) : { all: 0, ways: {} };
}

function waysBetween(start: number, atA: Mark[], atB: Mark[]): Decided {
  const find = (marks: Mark[], hop: Mark['hop'], since = start): number =>
    marks.find((mark) => mark.hop === hop && mark.at >= since)?.at ?? Number.NaN;
  const [inA, inB] = [find(atA, 'request in'), find(atB, 'request in')];
  const decided = find(atB, 'decision out');
  const stored = find(atB, 'stored', decided);
  const started = find(atB, 'start out', stored);
  const end = find(atB, 'stored', started);
  const away = Number.isNaN(inA) ? { 'to B': inB - start } : { 'to A': inA - start, 'to B': inB - inA };
  const ways = {
    ...away,
    'in B': decided - inB,
    'decision stored': stored - decided,
    'planned again': started - stored,
    'start stored': end - started,
  };
  return { all: end - start, ways };
}

async function waitForApproval(log: Deciding['log'], session: string): Promise<string> {
  const stop = new AbortController();
  for await (const { body: found } of log.subscribe(session, { since: 0, signal: stop.signal }))
    if (found.type === 'approval.requested') {
      stop.abort();
      return found.approval.id;
    }
  throw new Error('nothing was asked');
}

function median(list: readonly number[]): number {
  return list.toSorted((x, y) => x - y)[Math.floor(list.length / 2)] ?? Number.NaN;
}

const ms = (value: number): string => `${value.toFixed(2)} ms`;
