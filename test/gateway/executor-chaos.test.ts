// The gateway is killed at every state of a call that a client carries out: nothing is lost, nothing runs twice, nothing is stuck.
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SocketClient, type SpawnedGateway, socketTo, spawnGateway } from '../support/spawn-gateway.ts';

type Json = Record<string, unknown>;

const isOrder = (one: Json): boolean => one.type === 'tool_call' && one.state !== undefined;
const isQuestion = (one: Json): boolean => one.requires_approval === true;
const isResult = (one: Json): boolean => one.type === 'tool_result';

const call = {
  type: 'tool_call',
  call_id: 'c1',
  tool_name: 'write_file',
  arguments: { path: '/a.txt', content: 'x' },
};
const approve = { type: 'hitl_decision', call_id: 'c1', decision: 'approve' };
const done = { type: 'tool_result', call_id: 'c1', result: { success: true, bytes_written: 1 } };

/** A client that does its work as a good one does: once, remembering what it has done. */
type Worker = { ran: string[]; work(order: Json, client: SocketClient): void };

function worker(): Worker {
  const ran: string[] = [];
  return {
    ran,
    work({ call_id }, client) {
      const id = String(call_id);
      if (!ran.includes(id)) ran.push(id);
      client.send({ ...done, call_id: id });
    },
  };
}

type Stage = 'asked' | 'approved' | 'handed';

/** Goes as far as the stage, then the gateway is killed. */
async function upTo(stage: Stage, gateway: SpawnedGateway, { ran }: Worker): Promise<void> {
  const decides = await socketTo(gateway, '/ws/s1?role=approver');
  // Without an executor what is approved waits.
  const works = stage === 'handed' && (await socketTo(gateway, '/ws/s1?role=executor&executor_id=e1'));
  decides.send(call);
  await decides.next(isQuestion);
  if (stage === 'asked') return await gateway.kill();
  decides.send(approve);
  await decides.next((one) => (one.metadata as Json | undefined)?.state === 'running');
  if (works) {
    await works.next(isOrder);
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
    const own = worker();
    const options = { ...scratch, isFileless: true };
    await using first = await spawnGateway(options);
    await upTo(stage, first, own);
    await using again = await spawnGateway(options);
    // Somebody else comes first, and must not be given what the other may have begun.
    const other = await socketTo(again, '/ws/s1?role=executor&executor_id=e2');
    const isFree = stage === 'asked' || stage === 'approved';
    if (stage === 'asked') {
      expect(await other.next(isQuestion)).toMatchObject({ call_id: 'c1' });
      other.send(approve);
    }
    if (isFree) own.work(await other.next(isOrder), other);
    else {
      const works = await socketTo(again, '/ws/s1?role=executor&executor_id=e1');
      const order = await works.next(isOrder);
      expect(order).toMatchObject({ call_id: 'c1', redelivered: true, state: 'approved' });
      own.work(order, works);
    }
    expect(await other.next(isResult)).toMatchObject({ call_id: 'c1', result: { success: true } });
    expect(own.ran).toEqual(['c1']);
    expect(other.received.filter(isOrder)).toHaveLength(isFree ? 1 : 0);
    const said = other.received.find(isResult);
    const repeat = await socketTo(again, '/ws/s1?role=executor&executor_id=e1');
    repeat.send(done);
    expect(await repeat.next(isResult)).toMatchObject({ result: said?.result });
  },
);

test('the result may come right after the restart, from one that has no name', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder();
  await using first = await spawnGateway(scratch);
  const works = await socketTo(first, '/ws/s1?role=executor');
  works.send(call);
  await works.next(isQuestion);
  works.send(approve);
  await works.next(isOrder);
  await first.kill();
  await using again = await spawnGateway(scratch);
  const back = await socketTo(again, '/ws/s1?role=executor');
  back.send(done);
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
  const works = await socketTo(first, '/ws/s1?role=executor&executor_id=e1');
  works.send({ type: 'user_message', content: 'Go.' });
  const { call_id } = await works.next(isQuestion);
  works.send({ ...approve, call_id });
  await works.next(isOrder);
  await first.kill();
  await using second = await spawnGateway(options);
  const back = await socketTo(second, '/ws/s1?role=executor&executor_id=e1');
  expect(await back.next(isOrder)).toMatchObject({ call_id, redelivered: true });
  back.send({ ...done, call_id });
  const read = await back.next((one) => isOrder(one) && one.tool_name === 'read_file');
  // Killed in the middle of a reading: it is read again.
  await second.kill();
  await using third = await spawnGateway(options);
  const last = await socketTo(third, '/ws/s1?role=executor&executor_id=e1');
  expect(await last.next(isOrder)).toMatchObject({ call_id: read.call_id, tool_name: 'read_file' });
  last.send({ type: 'tool_result', call_id: read.call_id, result: { content: 'x' } });
  expect(await last.next((one) => one.type === 'done')).toMatchObject({ status: 'completed' });
  expect(last.received.find((one) => one.is_final === true)).toMatchObject({ content: 'Both done.' });
});

test('what nobody says anything about in time is unknown, also after a restart', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder();
  const options = { ...scratch, runMs: 2500 };
  await using first = await spawnGateway(options);
  const works = await socketTo(first, '/ws/s1?role=executor&executor_id=e1');
  works.send(call);
  await works.next(isQuestion);
  works.send(approve);
  await works.next(isOrder);
  await first.kill();
  await using again = await spawnGateway(options);
  const watches = await socketTo(again, '/ws/s1?role=approver&since=0');
  expect(await watches.next(isResult)).toMatchObject({ error_code: 'OUTCOME_UNKNOWN' });
});
