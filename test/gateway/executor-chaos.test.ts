// The gateway is killed at every state of a call that a client carries out: nothing is lost, nothing runs twice, nothing is stuck.
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SocketClient, type SpawnedGateway, socketTo, spawnGateway } from '../support/spawn-gateway.ts';

type Json = Record<string, unknown>;

const isOrder = (message: Json): boolean => message.type === 'tool_call' && message.state !== undefined;
const isQuestion = (message: Json): boolean => message.requires_approval === true;
const isResult = (message: Json): boolean => message.type === 'tool_result';

const call = {
  type: 'tool_call',
  call_id: 'c1',
  tool_name: 'write_file',
  arguments: { path: '/a.txt', content: 'x' },
};
const approve = { type: 'hitl_decision', call_id: 'c1', decision: 'approve' };
const resultMessage = { type: 'tool_result', call_id: 'c1', result: { success: true, bytes_written: 1 } };

/** A client that does its work as a good one does: once, remembering what it has done. */
type Worker = { ran: string[]; work(order: Json, client: SocketClient): void };

function worker(): Worker {
  const ran: string[] = [];
  return {
    ran,
    work({ call_id }, client) {
      const id = String(call_id);
      if (!ran.includes(id)) ran.push(id);
      client.send({ ...resultMessage, call_id: id });
    },
  };
}

type Stage = 'asked' | 'approved' | 'handed';

/** Goes as far as the stage, then the gateway is killed. */
async function upTo(stage: Stage, gateway: SpawnedGateway, { ran }: Worker): Promise<void> {
  const approverClient = await socketTo(gateway, '/ws/s1?role=approver');
  // Without an executor what is approved waits.
  const executorClient =
    stage === 'handed' && (await socketTo(gateway, '/ws/s1?role=executor&executor_id=e1'));
  approverClient.send(call);
  await approverClient.next(isQuestion);
  if (stage === 'asked') return await gateway.kill();
  approverClient.send(approve);
  await approverClient.next((message) => (message.metadata as Json | undefined)?.state === 'running');
  if (executorClient) {
    await executorClient.next(isOrder);
    ran.push('c1');
  }
  await gateway.kill();
}

test.each<[Stage]>([['asked'], ['approved'], ['handed']])(
  'killed when it was %s',
  {
    timeout: 60_000,
  },
  async (stage) => {
    using scratch = scratchFolder();
    const ownWorker = worker();
    const options = { ...scratch, isFileless: true };
    await using first = await spawnGateway(options);
    await upTo(stage, first, ownWorker);
    await using restarted = await spawnGateway(options);
    // Another executor connects first, and must not get a call that the first executor may have started.
    const other = await socketTo(restarted, '/ws/s1?role=executor&executor_id=e2');
    const isFree = stage === 'asked' || stage === 'approved';
    if (stage === 'asked') {
      expect(await other.next(isQuestion)).toMatchObject({ call_id: 'c1' });
      other.send(approve);
    }
    if (isFree) ownWorker.work(await other.next(isOrder), other);
    else {
      const executorClient = await socketTo(restarted, '/ws/s1?role=executor&executor_id=e1');
      const order = await executorClient.next(isOrder);
      expect(order).toMatchObject({ call_id: 'c1', redelivered: true, state: 'approved' });
      ownWorker.work(order, executorClient);
    }
    expect(await other.next(isResult)).toMatchObject({ call_id: 'c1', result: { success: true } });
    expect(ownWorker.ran).toEqual(['c1']);
    expect(other.received.filter(isOrder)).toHaveLength(isFree ? 1 : 0);
    const firstResult = other.received.find(isResult);
    const repeat = await socketTo(restarted, '/ws/s1?role=executor&executor_id=e1');
    repeat.send(resultMessage);
    expect(await repeat.next(isResult)).toMatchObject({ result: firstResult?.result });
  },
);

test('the result may come right after the restart, from one that has no name', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder();
  await using first = await spawnGateway(scratch);
  const executorClient = await socketTo(first, '/ws/s1?role=executor');
  executorClient.send(call);
  await executorClient.next(isQuestion);
  executorClient.send(approve);
  await executorClient.next(isOrder);
  await first.kill();
  await using restarted = await spawnGateway(scratch);
  const back = await socketTo(restarted, '/ws/s1?role=executor');
  back.send(resultMessage);
  expect(await back.next(isResult)).toMatchObject({ result: { success: true } });
  expect(back.received.filter(isOrder)).toEqual([]);
});

test('a turn whose call the client was at goes on when it comes back', { timeout: 60_000 }, async () => {
  using scratch = scratchFolder();
  const script = [
    { calls: [['write_file', { path: 'a.txt', content: 'x' }] as [string, Json]] },
    { calls: [['read_file', { path: 'a.txt' }] as [string, Json]] },
    { text: 'Both done.' },
  ];
  const options = { ...scratch, script };
  await using first = await spawnGateway(options);
  const executorClient = await socketTo(first, '/ws/s1?role=executor&executor_id=e1');
  executorClient.send({ type: 'user_message', content: 'Go.' });
  const { call_id } = await executorClient.next(isQuestion);
  executorClient.send({ ...approve, call_id });
  await executorClient.next(isOrder);
  await first.kill();
  await using second = await spawnGateway(options);
  const back = await socketTo(second, '/ws/s1?role=executor&executor_id=e1');
  expect(await back.next(isOrder)).toMatchObject({ call_id, redelivered: true });
  back.send({ ...resultMessage, call_id });
  const read = await back.next((message) => isOrder(message) && message.tool_name === 'read_file');
  // Killed in the middle of a reading: it is read again.
  await second.kill();
  await using third = await spawnGateway(options);
  const last = await socketTo(third, '/ws/s1?role=executor&executor_id=e1');
  expect(await last.next(isOrder)).toMatchObject({ call_id: read.call_id, tool_name: 'read_file' });
  last.send({ type: 'tool_result', call_id: read.call_id, result: { content: 'x' } });
  expect(await last.next((message) => message.type === 'done')).toMatchObject({ status: 'completed' });
  expect(last.received.find((message) => message.is_final === true)).toMatchObject({ content: 'Both done.' });
});

test('what nobody says anything about in time is unknown, also after a restart', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder();
  const options = { ...scratch, runMs: 2500 };
  await using first = await spawnGateway(options);
  const executorClient = await socketTo(first, '/ws/s1?role=executor&executor_id=e1');
  executorClient.send(call);
  await executorClient.next(isQuestion);
  executorClient.send(approve);
  await executorClient.next(isOrder);
  await first.kill();
  await using restarted = await spawnGateway(options);
  const watches = await socketTo(restarted, '/ws/s1?role=approver&since=0');
  expect(await watches.next(isResult)).toMatchObject({ error_code: 'OUTCOME_UNKNOWN' });
});
