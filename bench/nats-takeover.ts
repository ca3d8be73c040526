// The cost for the servers when a gateway is killed and others take its sessions, each with a call that waits for a decision, and when
// gateways start over a log without waiting calls. Counted in messages that the servers received, because those are the same on any
// machine.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import type { EventBody } from '@codelab/protocol';
import { openJetStreamLog } from '../apps/server/src/log/jetstream/jetstream-log.ts';
import { natsProgram, startNatsServers } from '../test/support/nats-servers.ts';
import { type SpawnedGateway, spawnGateway } from '../test/support/spawn-gateway.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const waitingSessions = 60;
const idle = 100;
const messagesEach = 40;
const restMs = 3000;
const token = 'a-long-token';
const body: EventBody = { type: 'session.titled', title: 'x'.repeat(400) };

export async function natsTakeover(): Promise<Row[]> {
  if (natsProgram === undefined) return [];
  const monitor = `127.0.0.1:${await freePort()}`;
  await using servers = await startNatsServers({ config: `http: ${monitor}` });
  using place = scratch();
  const spawn = (name: string): Promise<SpawnedGateway> => {
    mkdirSync(join(place.folder, name));
    return spawnGateway({ root: place.root, home: join(place.folder, name), log: `${servers.url}?lease=2` });
  };
  const received = async (): Promise<number> => {
    const stats = (await (await fetch(`http://${monitor}/varz`)).json()) as { in_msgs: number };
    return stats.in_msgs;
  };
  await using first = await spawn('a');
  const log = await openJetStreamLog(servers.url);
  for (let n = 0; n < waitingSessions + idle; n++) await makeSession(first, log, n < waitingSessions);
  while ((await log.asking()).length < waitingSessions) await rest(100);
  const atStart = await received();
  await using _b = await spawn('b');
  await using _c = await spawn('c');
  // Signs of life are counted as well: the same in all runs.
  await rest(restMs);
  const started = (await received()) - atStart;
  const owners = new Map<string, string>();
  (await log.cluster()).watchOwners((session, { node }) => void owners.set(session, node));
  const askingIds = await log.asking();
  const before = new Map(owners);
  const atKill = await received();
  await first.kill();
  while (askingIds.some((id) => owners.get(id) === before.get(id))) await rest(20);
  await rest(restMs);
  const messagesEachTakeover = ((await received()) - atKill) / waitingSessions;
  await log.close();
  const perSession = started / 2 / (waitingSessions + idle);
  return [
    row(
      `a session of ${messagesEach} messages is taken over: messages to the servers`,
      messagesEachTakeover,
      messagesEach,
    ),
    row(`a gateway starts: messages to the servers for each session in the log`, perSession, messagesEach),
  ];
}

async function makeSession(
  gateway: SpawnedGateway,
  log: Awaited<ReturnType<typeof openJetStreamLog>>,
  isWaiting: boolean,
): Promise<void> {
  const { session_id: id = '' } = await post(gateway, '/sessions', {});
  for (let seq = 1; seq <= messagesEach; seq++) await log.append(id, [body], { expected: seq });
  const call = { tool: 'run_command', args: { command: 'true > x' } };
  // The request gets no answer, because its gateway is killed.
  if (isWaiting) post(gateway, `/sessions/${id}/calls`, call).catch(() => undefined);
}

async function post({ url }: SpawnedGateway, path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, string>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  return port;
}

function row(name: string, ours: number, each: number): Row {
  return {
    name,
    ours: ours.toFixed(1),
    baseline: `one for each message: ${each}`,
    ratio: ours / each,
    goal: 0.5,
  };
}
