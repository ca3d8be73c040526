// Calls that wait while the gateway is stopped and started: each decision starts its call, and nothing else does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import { answerApproval } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { testLog } from '../support/test-log.ts';

const peersCall = {
  type: 'tool_call',
  tool_name: 'write_file',
  call_id: 'peer1',
  args: { path: 'peer.txt', content: 'peer' },
};

test('a call of a peer and a turn that both waited over a restart are both carried out once approved', async () => {
  const script = scriptedModel([
    { text: 'I write it.', calls: [['write_file', { path: 'turn.txt', content: 'turn' }]] },
    { text: 'And this.', calls: [['write_file', { path: 'more.txt', content: 'more' }]] },
    { text: 'Written.' },
  ]);
  await using bench = await gatewayBench({ script });
  const before = await bench.connect('s1');
  before.send({ type: 'user_message', content: 'Write it.' });
  const { call_id } = await before.next('tool_call');
  before.send(peersCall);
  await before.next('tool_call', (message) => message.call_id === 'peer1');
  await bench.restart();
  const client = await bench.connect('s1');
  for (const id of [call_id, 'peer1']) {
    await client.next('tool_call', (message) => message.call_id === id);
    client.send({ type: 'hitl_decision', call_id: id, decision: 'approve' });
  }
  // The turn still waits, for its second call, while the peer's is carried out.
  await client.next('tool_call', (message) => message.call_id !== call_id && message.call_id !== 'peer1');
  const result = await client.next('tool_result', (message) => message.call_id === 'peer1');
  expect(result).toMatchObject({ result: { success: true } });
  expect(readFileSync(join(bench.root, 'peer.txt'), 'utf8')).toBe('peer');
  expect(bench.faults).toEqual([]);
});

test('a call that was approved while no gateway ran is started by the next one, without anybody connecting', async () => {
  await using bench = await gatewayBench();
  await leavePeersCall(bench);
  await bench.stop();
  await approveElsewhere(bench);
  await bench.start();
  await finished(bench, 's1');
  expect(readFileSync(join(bench.root, 'peer.txt'), 'utf8')).toBe('peer');
});

test('a call that waited over a restart is started by a decision in another process', async () => {
  await using bench = await gatewayBench();
  await leavePeersCall(bench);
  await bench.restart();
  await approveElsewhere(bench);
  await finished(bench, 's1');
  expect(readFileSync(join(bench.root, 'peer.txt'), 'utf8')).toBe('peer');
});

test('reading how a decided call stands does not start it; a connecting approver does', async () => {
  await using bench = await gatewayBench();
  await leavePeersCall(bench);
  await bench.restart();
  await copyAsDecided(bench, 's1', 's2');
  const read = await bench.request('/my/projects/p/tools/peer1?session_id=s2');
  expect(await read.json()).toMatchObject({ status: 'approved' });
  // The decision in the first session comes after the read, and so would the read's own start come before this result.
  const first = await bench.connect('s1');
  await first.next('tool_call');
  first.send({ type: 'hitl_decision', call_id: 'peer1', decision: 'approve' });
  await first.next('tool_result');
  const { log } = bench.running.gateway.host;
  expect((await log.read('s2')).at(-1)?.body.type).toBe('approval.decided');
  const second = await bench.connect('s2');
  // The approved text in the first session differs from the one in the second, so a human is asked again.
  expect(await second.next('tool_call')).toMatchObject({ call_id: 'peer1', requires_approval: true });
});

async function leavePeersCall(bench: GatewayBench): Promise<void> {
  const client = await bench.connect('s1');
  client.send(peersCall);
  await client.next('tool_call');
}

async function approveElsewhere({ root, home }: GatewayBench): Promise<void> {
  await using composed = await compose({ workspace: root, home, env: {}, ...testLog(home) });
  const { host } = composed;
  const events = await host.log.read('s1');
  const approvalIds = events.flatMap(({ body }) =>
    body.type === 'approval.requested' ? [body.approval.id] : [],
  );
  const by = { who: 'somebody', via: 'test' };
  await answerApproval(host, {
    session: 's1',
    approvalId: approvalIds[0] ?? '',
    decision: { kind: 'approve' },
    by,
  });
}

async function finished({ running }: GatewayBench, session: string): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  for await (const { body } of running.gateway.host.log.subscribe(session, { since: 0, signal }))
    if (body.type === 'call.finished') return;
}

/** A session as a process leaves it that ends between the decision and the start of its call. */
async function copyAsDecided({ running }: GatewayBench, from: string, to: string): Promise<void> {
  const { log } = running.gateway.host;
  const text = JSON.stringify((await log.read(from)).map(({ body }) => body));
  const bodies: EventBody[] = JSON.parse(text.replaceAll(`"session":"${from}"`, `"session":"${to}"`));
  const requested = bodies.findLast((body) => body.type === 'approval.requested');
  if (requested?.type !== 'approval.requested') throw new Error('nothing was asked');
  const { callId, approval } = requested;
  const by = { who: 'somebody', via: 'test' };
  const decided = { type: 'approval.decided' as const, callId, approvalId: approval.id, by };
  await log.append(to, [...bodies, { ...decided, decision: { kind: 'approve' } }], { expected: 0 });
}
