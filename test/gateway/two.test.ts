// Two gateways over one log: what one of them does is what the other one knows.
import { writeFileSync } from 'node:fs';
import { type Running, startGateway } from '@codelab/server/gateway';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { scratchFolder } from '../support/scratch-folder.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

async function two(files: Record<string, string> = {}) {
  const scratch = scratchFolder({ files });
  const faults: unknown[] = [];
  const start = (): Promise<Running> =>
    startGateway({
      port: 0,
      token: 'secret-token',
      compose: { workspace: scratch.root, home: scratch.home, env: {} },
      openModel: async () => scriptedModel([{ text: 'Hello.' }]),
      onFault: (error) => faults.push(error),
    });
  const [firstGateway, other] = [await start(), await start()];
  return {
    one: firstGateway,
    other,
    faults,
    root: scratch.root,
    async [Symbol.asyncDispose]() {
      await firstGateway[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      scratch[Symbol.dispose]();
    },
  };
}

async function ask(
  at: Running,
  method: string,
  path: string,
  body?: Json,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${at.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${at.token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Json) };
}

async function listen(at: Running, session: string) {
  const headers = { authorization: `Bearer ${at.token}` };
  const address = `${at.url.replace('http', 'ws')}/ws/${session}?dialect=neutral&since=0`;
  const socket = new WebSocket(address, { headers });
  const received: Json[] = [];
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  let wake = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString()) as Json);
    wake();
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve));
  const until = async (matches: (message: Json) => boolean): Promise<void> => {
    const signal = AbortSignal.timeout(10_000);
    while (!received.some(matches)) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  };
  return { heard: received, closed, until };
}

test('a session that one of them deletes is over at the other, and does not come back by itself', async () => {
  await using both = await two();
  const { one, other } = both;
  expect((await ask(one, 'POST', '/sessions', { title: 'first' })).status).toBe(201);
  await ask(one, 'POST', '/sessions/x/messages', { content: 'Hi' });
  const line = await listen(other, 'x');
  await line.until(({ type }) => type === 'session_info');
  expect((await ask(one, 'DELETE', '/sessions/x')).status).toBe(204);
  expect(await line.closed).toBe(1000);
  expect((await ask(other, 'GET', '/sessions/x')).status).toBe(404);
  expect((await ask(other, 'POST', '/sessions/x/messages', { content: 'Hi' })).status).toBe(404);
  expect(both.faults).toEqual([]);
});

test('another session of the same name is another session: whose it is, and what is in it', async () => {
  await using both = await two();
  const { one, other } = both;
  const anna = { subject: 'anna', via: 'test' };
  const ben = { subject: 'ben', via: 'test' };
  const hers = await other.gateway.session('x', anna);
  await hers.rename('hers');
  await one.gateway.deleteSession('x', anna);
  const log = one.gateway.host.log;
  const workspace = one.gateway.host.workspace.root.real;
  await log.append('x', [{ type: 'session.opened', workspace, owner: 'ben' }], { expected: 0 });
  await expect(other.gateway.session('x', anna)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  const his = await other.gateway.session('x', ben);
  expect(his.isOpen).toBe(true);
  await his.rename('his');
  expect((await his.history()).map(({ body }) => body.type)).toEqual(['session.opened', 'session.titled']);
  expect(hers.isOpen).toBe(false);
});

test('one decision of two at once counts, whichever gateway it was given to', async () => {
  await using both = await two({ 'a.txt': 'one\n' });
  const { one, other } = both;
  writeFileSync(`${both.root}/b.txt`, 'two\n');
  for (let round = 0; round < 5; round++) {
    const session = `s${round}`;
    await one.gateway.session(session, { subject: 'me', via: 'test', isOperator: true });
    const line = await listen(other, session);
    const args = { path: 'a.txt', content: `${round}\n` };
    const call = ask(one, 'POST', `/sessions/${session}/calls`, { tool: 'write_file', args });
    const asks = (message: Json): boolean => JSON.stringify(message).includes('approval.requested');
    await line.until(asks);
    const [approval] = (await ask(other, 'GET', `/sessions/${session}/pending-approvals`)).body
      .pending_approvals as { id: string }[];
    const decide = (at: Running, kind: string) =>
      ask(at, 'POST', `/sessions/${session}/decisions`, { approval_id: approval?.id, decision: { kind } });
    const answers = await Promise.all([decide(one, 'approve'), decide(other, 'reject')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: { code: 'ALREADY_DECIDED' },
    });
    const { outcome } = (await call).body as { outcome: { status: string } };
    expect(outcome.status).toBe(answers[0]?.status === 200 ? 'completed' : 'rejected');
    const events = await one.gateway.host.log.read(session);
    expect(events.filter(({ body }) => body.type === 'approval.decided')).toHaveLength(1);
  }
  expect(both.faults).toEqual([]);
});
