// Three gateways, each with a home of its own, over one log on NATS: any of them serves any session, and any of them may die.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionLog } from '@codelab/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../support/nats-servers.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';

type Json = Record<string, unknown>;

const leaseMs = 1000;
const token = 'a-long-token';
let servers: NatsServers;
let log: SessionLog;
const scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
let homes = 0;

async function spawn(): Promise<SpawnedGateway> {
  const home = join(scratch.folder, `home-${++homes}`);
  mkdirSync(home);
  return await spawnGateway({
    root: scratch.root,
    home,
    log: `${servers.url}?wait=20&lease=${leaseMs / 1000}`,
  });
}

async function ask(
  at: SpawnedGateway,
  method: string,
  path: string,
  body?: Json,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${at.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Json) };
}

async function waitFor<T>(check: () => Promise<T | undefined>, ms = 12_000): Promise<T> {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const found = await check();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not come');
}

const types = async (session: string): Promise<string[]> =>
  (await log.read(session)).map(({ body }) => body.type);

/** A call that waits for an approval, made at one gateway. */
async function askedCall(at: SpawnedGateway, command: string) {
  const { session_id } = (await ask(at, 'POST', '/sessions', { title: command })).body;
  const session = String(session_id);
  const call = ask(at, 'POST', `/sessions/${session}/calls`, {
    tool: 'run_command',
    args: { command },
  }).catch(() => undefined);
  const approval = await waitFor(async () => {
    const requested = (await log.read(session)).find(({ body }) => body.type === 'approval.requested');
    return requested?.body.type === 'approval.requested' ? requested.body.approval.id : undefined;
  });
  return { call, session, approval };
}

const approve = (at: SpawnedGateway, session: string, approval: string) =>
  ask(at, 'POST', `/sessions/${session}/decisions`, { approval_id: approval, decision: { kind: 'approve' } });

const runs = (): string[] => readFileSync(join(scratch.root, 'runs'), 'utf8').trim().split('\n');

describe.skipIf(natsProgram === undefined)('several gateways over a log on NATS', () => {
  const nodes: SpawnedGateway[] = [];
  beforeAll(async () => {
    servers = await startNatsServers();
    log = await openJetStreamLog(servers.url);
    appendFileSync(join(scratch.root, 'runs'), '');
    nodes.push(...(await Promise.all([spawn(), spawn(), spawn()])));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await log?.close();
    await servers?.[Symbol.asyncDispose]();
    scratch[Symbol.dispose]();
  });
  const node = (i: number): SpawnedGateway => nodes[i] as SpawnedGateway;

  test('a call made at one, shown at another, approved at a third, runs once', async () => {
    const { call, session, approval } = await askedCall(node(0), 'echo any >> runs');
    const { body } = await ask(node(1), 'GET', `/sessions/${session}/pending-approvals`);
    expect(body.pending_approvals).toMatchObject([{ id: approval }]);
    const answers = await Promise.all([
      approve(node(2), session, approval),
      approve(node(1), session, approval),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await call)?.body).toMatchObject({ outcome: { status: 'completed' } });
    expect(runs().filter((run) => run === 'any')).toHaveLength(1);
    const listing = await Promise.all(nodes.map((node) => ask(node, 'GET', '/sessions')));
    for (const { body: list } of listing) expect(JSON.stringify(list)).toContain(session);
  });

  test('each tells the gateways, its sessions, its appends and conflicts, and how far it is behind', async () => {
    const metrics = async (): Promise<Map<string, number>> => {
      const headers = { authorization: `Bearer ${token}` };
      const text = await (await fetch(`${node(0).url}/metrics`, { headers })).text();
      return new Map(
        text.split('\n').map((line): [string, number] => {
          const [name = '', value] = line.split(' ');
          return [name, Number(value)];
        }),
      );
    };
    const before = await metrics();
    const { call, session, approval } = await askedCall(node(0), 'echo measured >> runs');
    const { body } = await ask(node(1), 'GET', `/sessions/${session}/pending-approvals`);
    expect(body.pending_approvals).toHaveLength(1);
    const during = await metrics();
    const increase = (name: string): number =>
      (during.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
    expect(during.get('codelab_cluster_nodes')).toBe(3);
    expect(increase('codelab_cluster_leases')).toBe(1);
    expect(increase('codelab_log_append_seconds_count')).toBeGreaterThan(1);
    await approve(node(2), session, approval);
    await call;
    expect(
      await waitFor(async () => ((await metrics()).get('codelab_log_lag_messages') === 0 ? 0 : undefined)),
    ).toBe(0);
    expect(during.get('codelab_log_connected')).toBe(1);
    expect(during.get('codelab_log_conflicts_total')).toEqual(expect.any(Number));
  });

  test('a session of a gateway that was killed goes on at another, and its call is not run again', async () => {
    const { call, session, approval } = await askedCall(node(0), 'echo killed >> runs; sleep 30');
    await approve(node(1), session, approval);
    await waitFor(async () => (runs().includes('killed') ? true : undefined));
    await node(0).kill();
    await call;
    // The session has no request: another gateway takes it over because a call was left running.
    await waitFor(async () => ((await types(session)).includes('call.finished') ? true : undefined));
    const ended = (await log.read(session)).find(({ body }) => body.type === 'call.finished');
    expect(ended?.body).toMatchObject({ outcome: { error: { code: 'OUTCOME_UNKNOWN' } } });
    expect(runs().filter((run) => run === 'killed')).toHaveLength(1);
    expect(await log.prove(session, new AbortController().signal)).toBeUndefined();
    nodes[0] = await spawn();
  });

  test('a call that nobody was asked about and that was left running is ended by the next gateway, though no client asks for it', async () => {
    const id = `left-${randomUUID()}`;
    const args = { command: 'sleep 30' };
    const endedOwner = { host: 'gone', pid: 1, startedAt: 'long ago' };
    await log.append(
      id,
      [
        { type: 'session.opened', workspace: scratch.root },
        {
          type: 'call.received',
          call: { id: 'c1', session: id, tool: 'run_command', args, dialect: 'codelab' },
        },
        { type: 'call.started', callId: 'c1', owner: endedOwner, args, intents: [], slot: 'c1' },
      ],
      { expected: 0 },
    );
    nodes.push(await spawn());
    await waitFor(async () => ((await types(id)).includes('call.finished') ? true : undefined));
    const ended = (await log.read(id)).find(({ body }) => body.type === 'call.finished');
    expect(ended?.body).toMatchObject({ outcome: { error: { code: 'OUTCOME_UNKNOWN' } } });
  });

  test('one that stood still cannot write when it goes on', async () => {
    const { call, session, approval } = await askedCall(node(0), 'echo paused >> runs');
    node(0).signal('SIGSTOP');
    const status = await waitFor(async () => {
      const answer = await Promise.race([
        approve(node(1), session, approval),
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 1500)),
      ]);
      return answer?.status === 200 ? 200 : undefined;
    });
    expect(status).toBe(200);
    await waitFor(async () => ((await types(session)).includes('call.finished') ? true : undefined));
    node(0).signal('SIGCONT');
    await call;
    await ask(node(0), 'GET', `/sessions/${session}/pending-approvals`);
    expect(runs().filter((run) => run === 'paused')).toHaveLength(1);
    expect((await types(session)).filter((type) => type === 'call.finished')).toHaveLength(1);
    expect(await log.prove(session, new AbortController().signal)).toBeUndefined();
  });

  test('one that is told to end hands its sessions over at once', async () => {
    const { session, approval } = await askedCall(node(2), 'echo drained >> runs');
    node(2).signal('SIGTERM');
    await node(2).exited;
    expect((await approve(node(1), session, approval)).status).toBe(200);
    await waitFor(async () => ((await types(session)).includes('call.finished') ? true : undefined));
    expect(runs().filter((run) => run === 'drained')).toHaveLength(1);
  });
});
