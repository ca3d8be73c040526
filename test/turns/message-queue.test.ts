// Messages sent while the agent works: queued in the log, changed, removed, read at the next step or sent after the turn; and what a
// conversation keeps of a turn that was stopped, cut off, continued or branched.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model, ModelRequest } from '@codelab/agent';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { createSession, type Json, json, logUntil } from '../support/web-api.ts';

const writes = [
  { text: 'I write.', calls: [['write_file', { path: 'a.txt', content: 'x\n' }]] as [string, Json][] },
  { text: 'Done.' },
];

type Bench = Awaited<ReturnType<typeof gatewayBench>>;

/** A session whose turn waits for a decision. */
async function startWaiting(bench: Bench, content = 'Write it.'): Promise<string> {
  const id = await createSession(bench);
  await json(bench, `/sessions/${id}/messages`, 'POST', { content, message_id: 'first' });
  await logUntil(bench, id, ({ type }) => type === 'approval.requested');
  return id;
}

async function approve(bench: Bench, id: string): Promise<void> {
  const [, { pending_approvals }] = await json(bench, `/sessions/${id}/pending-approvals`);
  const [{ id: approval_id } = { id: '' }] = pending_approvals as { id: string }[];
  await json(bench, `/sessions/${id}/decisions`, 'POST', { approval_id, decision: { kind: 'approve' } });
}

async function bodiesOf(bench: Bench, id: string): Promise<Json[]> {
  const [, { events }] = await json(bench, `/sessions/${id}/log`);
  return (events as { body: Json }[]).map(({ body }) => body);
}

const textsOf = ({ messages }: ModelRequest): string[] =>
  messages.map((message) =>
    message.role === 'assistant' ? `A: ${message.reply.text}` : `${message.role[0]}: ${message.text}`,
  );

test('a message sent during a turn is read at the next step, another becomes the next turn, each once', async () => {
  const script = scriptedModel([...writes, { text: 'Second done.' }]);
  await using bench = await gatewayBench({ script });
  const id = await startWaiting(bench);
  const send = (content: string, delivery: string, message_id: string): Promise<[number, Json]> =>
    json(bench, `/sessions/${id}/messages`, 'POST', { content, delivery, message_id });
  expect(await send('Then tests.', 'turn', 'm1')).toEqual([202, { session_id: id, queued: 'm1' }]);
  expect(await send('Use tabs.', 'step', 'm2')).toEqual([202, { session_id: id, queued: 'm2' }]);
  // Sent again after a lost answer.
  expect(await send('Use tabs.', 'step', 'm2')).toEqual([202, { session_id: id, queued: 'm2' }]);
  expect(await send('Write it.', 'step', 'first')).toEqual([202, { session_id: id }]);
  expect((await json(bench, `/sessions/${id}/queue`))[1]).toMatchObject({
    messages: [
      { id: 'm1', content: 'Then tests.', delivery: 'turn', images: 0 },
      { id: 'm2', content: 'Use tabs.', delivery: 'step' },
    ],
  });
  expect((await json(bench, `/sessions/${id}`))[1]).toMatchObject({ state: 'waiting', queued: 2 });
  await approve(bench, id);
  await logUntil(bench, id, ({ type, turn }) => type === 'turn.ended' && turn === 2);
  expect(textsOf(script.requests[1] as ModelRequest).at(-1)).toBe('u: Use tabs.');
  expect(textsOf(script.requests[2] as ModelRequest).slice(-2)).toEqual(['A: Done.', 'u: Then tests.']);
  const bodies = await bodiesOf(bench, id);
  expect(bodies.filter(({ type }) => type === 'turn.steered')).toMatchObject([{ message: 'm2', turn: 1 }]);
  expect(bodies.filter(({ type }) => type === 'turn.started')).toMatchObject([
    { message: 'first', text: 'Write it.' },
    { message: 'm1', text: 'Then tests.', turn: 2 },
  ]);
  expect((await json(bench, `/sessions/${id}/queue`))[1]).toEqual({ messages: [] });
});

test('a queue survives a restart, can be edited and removed, and waits after a cancelled turn until it is asked for', async () => {
  const script = scriptedModel([...writes, { text: 'Later.' }]);
  await using bench = await gatewayBench({ script });
  const id = await startWaiting(bench);
  for (const message_id of ['keep', 'drop'])
    await json(bench, `/sessions/${id}/messages`, 'POST', {
      content: message_id,
      delivery: 'turn',
      message_id,
    });
  await bench.restart();
  const changed = await json(bench, `/sessions/${id}/queue/keep`, 'PATCH', {
    content: 'kept',
    delivery: 'step',
  });
  expect(changed).toMatchObject([200, { messages: [{ content: 'kept', delivery: 'step' }, { id: 'drop' }] }]);
  expect((await json(bench, `/sessions/${id}/queue/drop`, 'DELETE'))[1]).toMatchObject({
    messages: [{ id: 'keep' }],
  });
  expect(await json(bench, `/sessions/${id}/queue/drop`, 'DELETE')).toMatchObject([
    409,
    { error: { code: 'STALE' } },
  ]);
  await json(bench, `/sessions/${id}/resume`, 'POST', {});
  await json(bench, `/sessions/${id}/cancel`, 'POST', {});
  await logUntil(bench, id, ({ type }) => type === 'turn.ended');
  expect((await json(bench, `/sessions/${id}/queue`))[1]).toMatchObject({ messages: [{ id: 'keep' }] });
  await json(bench, `/sessions/${id}/resume`, 'POST', {});
  await logUntil(bench, id, ({ type, turn }) => type === 'turn.ended' && turn === 2);
  expect(textsOf(script.requests.at(-1) as ModelRequest).at(-1)).toBe('u: kept');
  expect(bench.faults).toEqual([]);
});

test('a socket queues a message as REST does', async () => {
  await using bench = await gatewayBench({ script: scriptedModel([...writes, { text: 'Yes.' }]) });
  const id = await startWaiting(bench);
  const client = await bench.connect(id);
  client.send({ type: 'user_message', content: 'And a test.', role: 'user', delivery: 'turn' });
  await logUntil(bench, id, ({ type }) => type === 'message.queued');
  await approve(bench, id);
  await client.next('user_message', ({ content }) => content === 'And a test.');
  await client.next('assistant_message', ({ content, is_final }) => content === 'Yes.' && is_final === true);
  client.send({ type: 'user_message', content: 'x', role: 'user', delivery: 'now' });
  await client.next('error', ({ message }) => String(message).includes('delivery'));
  await client.close();
});

/** Says a part of its first reply, then hangs or breaks; later replies are whole. */
function breakingModel(fault: 'hang' | 'break'): Model & { requests: ModelRequest[] } {
  const completeModel = scriptedModel([{ text: 'Whole.' }, { text: 'Whole again.' }]);
  const requests: ModelRequest[] = [];
  return {
    ...completeModel,
    requests,
    async *stream(request, signal) {
      requests.push({ ...request, messages: [...request.messages] });
      if (requests.length > 1) return yield* completeModel.stream(request, signal);
      yield { type: 'text', delta: 'The first half' };
      if (fault === 'break') {
        yield { type: 'retry', attempt: 1, afterMs: 0, reason: 'cut', discards: true };
        throw new Error('The server is gone.');
      }
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    },
  };
}

test('text that was streamed before Stop or a broken connection stays, and the model reads it', async () => {
  for (const fault of ['hang', 'break'] as const) {
    const script = breakingModel(fault);
    await using bench = await gatewayBench({ script });
    const id = await createSession(bench);
    const streamed = bench.connect(id, { query: '?dialect=neutral&since=0' });
    await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'Tell.' });
    await (await streamed).next('signal', ({ signal }) => (signal as Json).delta === 'The first half');
    if (fault === 'hang') {
      // A client that connects in the middle of a reply gets the part streamed so far.
      const lateClient = await bench.connect(id, { query: '?dialect=neutral&since=0' });
      expect(await lateClient.next('live')).toMatchObject({ text: 'The first half' });
      await lateClient.close();
    }
    if (fault === 'hang') await json(bench, `/sessions/${id}/cancel`, 'POST', {});
    const bodies = await logUntil(bench, id, ({ type }) => type === 'turn.ended');
    expect(bodies.filter(({ type }) => type === 'model.replied')).toMatchObject([
      { reply: { text: 'The first half', stop: 'interrupted' } },
    ]);
    // Asked again without a word of the user, the model sees what it had said.
    expect((await json(bench, `/sessions/${id}/continue`, 'POST', {}))[0]).toBe(202);
    await logUntil(bench, id, ({ type, turn }) => type === 'turn.ended' && turn === 2);
    expect(textsOf(script.requests[1] as ModelRequest)).toEqual([
      'u: Tell.',
      'A: The first half',
      'u: [Your reply was interrupted here.]',
    ]);
    const [, { messages }] = await json(bench, `/sessions/${id}/history`);
    expect((messages as Json[]).map(({ content }) => content)).toEqual(['Tell.', 'The first half', 'Whole.']);
    await (await streamed).close();
  }
});

test('an earlier message is sent again on a branch, with the files undone to that point, and branches are listed', async () => {
  const script = scriptedModel([
    { text: 'One.', calls: [['write_file', { path: 'one.txt', content: '1\n' }]] },
    { text: 'Wrote one.' },
    { text: 'Two.', calls: [['write_file', { path: 'two.txt', content: '2\n' }]] },
    { text: 'Wrote two.' },
    { text: 'Otherwise.' },
  ]);
  await using bench = await gatewayBench({ script, mode: 'trusted' });
  const id = await createSession(bench);
  for (const [turn, content] of ['Write one.', 'Write two, please.'].entries()) {
    await json(bench, `/sessions/${id}/messages`, 'POST', { content });
    await logUntil(bench, id, (body) => body.type === 'turn.ended' && body.turn === turn + 1);
  }
  expect(existsSync(join(bench.root, 'two.txt'))).toBe(true);
  const [, { events }] = await json(bench, `/sessions/${id}/log`);
  const second = (events as { seq: number; body: Json }[]).find(
    ({ body }) => body.type === 'turn.started' && body.turn === 2,
  );
  const [status, branch] = await json(bench, `/sessions/${id}/fork`, 'POST', { before: second?.seq });
  expect([status, branch]).toMatchObject([
    201,
    { title: 'Write one', forked_from: { session_id: id, seq: Number(second?.seq) - 1 } },
  ]);
  expect((await json(bench, `/sessions/${id}/undo`, 'POST', { from_turn: 2 }))[1]).toMatchObject({
    done: true,
  });
  expect([existsSync(join(bench.root, 'one.txt')), existsSync(join(bench.root, 'two.txt'))]).toEqual([
    true,
    false,
  ]);
  await json(bench, `/sessions/${branch.id}/messages`, 'POST', { content: 'Write three.' });
  await logUntil(bench, String(branch.id), ({ type }) => type === 'turn.ended');
  expect(textsOf(script.requests.at(-1) as ModelRequest).filter((one) => !one.startsWith('t:'))).toEqual([
    'u: Write one.',
    'A: One.',
    'A: Wrote one.',
    'u: Write three.',
  ]);
  for (const sessionId of [id, branch.id])
    expect((await json(bench, `/sessions/${sessionId}/branches`))[1]).toMatchObject({
      branches: [
        { id, forked_from: null },
        { id: branch.id, forked_from: { session_id: id } },
      ],
    });
  expect(await json(bench, `/sessions/${id}/undo`, 'POST', { from_turn: 1 })).toMatchObject([
    200,
    { done: true },
  ]);
  expect(existsSync(join(bench.root, 'one.txt'))).toBe(false);
});

test('an undo is a call in the log, not a turn of the user, and the model is told of it once', async () => {
  const script = scriptedModel([...writes, { text: 'Read it again.' }]);
  await using bench = await gatewayBench({ script, mode: 'trusted', files: { 'a.txt': 'old\n' } });
  const id = await createSession(bench);
  await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'Write.' });
  await logUntil(bench, id, ({ type }) => type === 'turn.ended');
  await json(bench, `/sessions/${id}/undo`, 'POST', {});
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('old\n');
  expect((await bodiesOf(bench, id)).filter(({ type }) => type === 'turn.started')).toHaveLength(1);
  await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'Go on.' });
  await logUntil(bench, id, ({ type, turn }) => type === 'turn.ended' && turn === 2);
  expect(textsOf(script.requests.at(-1) as ModelRequest).slice(-2)).toEqual([
    'u: [The user undid changes to: a.txt. Read these files again before you rely on them.]',
    'u: Go on.',
  ]);
});
