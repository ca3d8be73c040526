// Calls that a client carries out: the gateway, the client and whoever approves are killed at every step. What was begun is told, nothing is
// begun twice, nothing waits for ever.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/bad-lines.ts';
import type { Fault } from '../support/chaos-fault.ts';
import type { PeerOptions } from '../support/chaos-peer.ts';
import { chaosServe, chaosToken as token } from '../support/chaos-serve.ts';
import { spawnPeer } from '../support/chaos-spawn-peer.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { socketTo } from '../support/spawn-gateway.ts';

type Json = Record<string, unknown>;

const isResultOf = (id: string) => (message: Json) =>
  message.type === 'tool_result' && message.call_id === id;
const isQuestion = (message: Json): boolean => message.requires_approval === true;
const callOf = (call_id: string) => ({
  type: 'tool_call',
  call_id,
  tool_name: 'write_file',
  arguments: { path: '/a.txt', content: 'x' },
});
const linesIn = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};

type Options = Partial<PeerOptions> & { url: string; folder: string; session: string };
const peerIn = ({ url, folder, session, role = 'executor', ...more }: Options) =>
  spawnPeer({
    address: `${url.replace('http', 'ws')}/ws/${session}?role=${role}${role === 'executor' ? '&executor_id=e1' : ''}`,
    token,
    role,
    memory: join(folder, `${session}.begun`),
    work: join(folder, `${session}.done`),
    ...more,
  });

// The final report, and how often the work was done.
test.each<[NonNullable<PeerOptions['diesAt']>, string | undefined, number]>([
  ['heard', undefined, 1],
  ['begun', 'OUTCOME_UNKNOWN', 0],
  ['done', undefined, 1],
  ['told', undefined, 1],
])('an executor that is killed when it has %s a call', async (diesAt, code, done) => {
  await using bench = await gatewayBench({ token, isFileless: true });
  using scratch = scratchFolder();
  const at = { url: bench.running.url, folder: scratch.folder, session: 's1' };
  await using first = await peerIn({ ...at, diesAt });
  const approverClient = await bench.connect('s1', { query: '?role=approver' });
  approverClient.send(callOf('c1'));
  await approverClient.next('tool_call', isQuestion);
  approverClient.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  expect(await first.exited).toBe('SIGKILL');
  await using _second = await peerIn(at);
  const result = await approverClient.next('tool_result', isResultOf('c1'));
  expect(result.error_code).toBe(code);
  expect(linesIn(join(scratch.folder, 's1.done'))).toHaveLength(done);
  // The executor runs the next call as usual.
  approverClient.send(callOf('c2'));
  await approverClient.next('tool_call', (message) => isQuestion(message) && message.call_id === 'c2');
  approverClient.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
  expect(await approverClient.next('tool_result', isResultOf('c2'))).toMatchObject({
    result: { success: true },
  });
});

test.each<['heard' | 'told']>([['heard'], ['told']])(
  'somebody who is killed when the question was %s',
  async (diesAt) => {
    await using bench = await gatewayBench({ token });
    using scratch = scratchFolder();
    const caller = await bench.connect('s1');
    const at = { url: bench.running.url, folder: scratch.folder, session: 's1', role: 'approver' as const };
    await using peer = await peerIn({ ...at, diesAt });
    caller.send(callOf('c1'));
    expect(await peer.exited).toBe('SIGKILL');
    // An answer that was sent may be lost with its sender; then the question still waits for the next one.
    await using _next = await peerIn(at);
    expect(await caller.next('tool_result', isResultOf('c1'))).toMatchObject({ result: { success: true } });
    const kinds = (await bench.running.gateway.host.log.read('s1')).map(({ body }) => body.type);
    for (const kind of ['approval.decided', 'call.started', 'call.finished'])
      expect(kinds.filter((candidate) => candidate === kind)).toHaveLength(1);
  },
);

const points: Fault[] = [
  { when: 'after', type: 'approval.decided' },
  { when: 'before', type: 'call.started' },
  { when: 'after', type: 'call.started' },
  { when: 'before', type: 'call.taken' },
  { when: 'after', type: 'call.taken' },
  { when: 'before', type: 'call.finished' },
  { when: 'after', type: 'call.finished' },
];

test('a gateway that is killed at every entry of a call of a client', { timeout: 120_000 }, async () => {
  using scratch = scratchFolder();
  const port = await freePort();
  const args = ['--no-workspace'];
  const at = (session: string) => ({ url: `http://127.0.0.1:${port}`, folder: scratch.folder, session });
  for (const [n, point] of points.entries()) {
    const [id, session] = [`c${n}`, `s${n}`];
    await using gateway = await chaosServe({ ...scratch, port, args, fault: { ...point, callId: id } });
    await using _executor = await peerIn(at(session));
    const approverClient = await socketTo(gateway, `/ws/${session}?role=approver`);
    approverClient.send(callOf(id));
    await approverClient.next(isQuestion);
    approverClient.send({ type: 'hitl_decision', call_id: id, decision: 'approve' });
    expect(await gateway.exited).toBe('SIGKILL');
  }
  await using gateway = await chaosServe({ ...scratch, port, args });
  await Promise.all(
    points.map(async ({ when, type }, n) => {
      const [id, session, label] = [`c${n}`, `s${n}`, `${when} ${type}`];
      await using _executor = await peerIn(at(session));
      const watches = await socketTo(gateway, `/ws/${session}?role=approver&since=0`);
      const result = await watches.next(isResultOf(id));
      expect(result, label).toMatchObject({ result: { success: true } });
      expect(linesIn(join(scratch.folder, `${session}.done`)), label).toEqual([id]);
      watches.end();
    }),
  );
});
