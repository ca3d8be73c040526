// The gateway is killed while an agent works: its turn goes on as soon as somebody is there again, and no call of it runs twice.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fault } from '../support/chaos-fault.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SocketClient, type SpawnedGateway, socketTo, spawnGateway } from '../support/spawn-gateway.ts';

type Json = Record<string, unknown>;
type Wanted = [string, Json];

const isQuestion = (message: Json): boolean => message.requires_approval === true;
const isDone = (message: Json): boolean => message.type === 'done';
const calling = (...wanted: Wanted): { calls: Wanted[] } => ({ calls: [wanted] });

/** Says yes to what is asked, if anything is before the line ends. */
function approveOnce(client: SocketClient): void {
  client.next(isQuestion).then(
    ({ call_id }) => client.send({ type: 'hitl_decision', call_id, decision: 'approve' }),
    () => undefined,
  );
}

const points: [Fault['when'], string, string?][] = [
  ['after', 'turn.started'],
  ['after', 'model.replied'],
  ['after', 'approval.requested'],
  ['after', 'approval.decided'],
  ['after', 'call.finished'],
  ['before', 'turn.ended'],
  // The last one: the next start ends this call, and would come by the same entry.
  ['before', 'call.finished', 'OUTCOME_UNKNOWN'],
];

test('killed at every entry of a turn: whoever comes back sees its end', { timeout: 120_000 }, async () => {
  using scratch = scratchFolder();
  const command = 'echo once >> $(date +%N).ran';
  const options = { ...scratch, script: [calling('run_command', { command }), { text: 'It ran.' }] };
  for (const [n, [when, type]] of points.entries()) {
    await using gateway = await spawnGateway(options, { when, type });
    const client = await socketTo(gateway, `/ws/s${n}`);
    client.send({ type: 'user_message', content: 'Run it.' });
    approveOnce(client);
    await gateway.exited;
    client.end();
  }
  await using gateway = await spawnGateway(options);
  for (const [n, [when, type, code]] of points.entries()) {
    const label = `${when} ${type}`;
    // Coming back is enough.
    const client = await socketTo(gateway, `/ws/s${n}`);
    approveOnce(client);
    const all = await socketTo(gateway, `/ws/s${n}?role=viewer&since=0`);
    expect(await all.next(isDone), label).toMatchObject({ status: 'completed' });
    const results = all.received.filter((message) => message.type === 'tool_result');
    expect(
      results.map(({ error_code }) => error_code),
      label,
    ).toEqual([code]);
    const finalMessages = all.received.filter((message) => message.is_final === true);
    expect(
      finalMessages.map(({ content }) => content),
      label,
    ).toEqual(['It ran.']);
    client.end();
    all.end();
  }
  // Each command left a file of its own, so that one that ran twice would show.
  const files = readdirSync(scratch.root);
  expect(files).toHaveLength(points.length);
  for (const file of files) expect(readFileSync(join(scratch.root, file), 'utf8')).toBe('once\n');
});

const chat = '/my/projects/p1/chat';
const authorization = 'Bearer a-long-token';

async function ask({ url }: SpawnedGateway, path: string, body: Json): Promise<Json> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Json;
}

/** The events of a chat, as they come. */
async function* eventsOf({ url }: SpawnedGateway): AsyncGenerator<Json> {
  const headers = { authorization, accept: 'application/x-ndjson' };
  const response = await fetch(`${url}${chat}/p1/events/?since=0`, { headers });
  let buffered = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (buffered + text).split('\n');
    buffered = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Json;
  }
}

/** The next event of a type; all that come before it are kept in `passed`. */
async function next(events: AsyncGenerator<Json>, type: string, skipped: unknown[] = []): Promise<Json> {
  for (;;) {
    const { value, done } = (await events.next()) as IteratorResult<Json, undefined>;
    if (done) throw new Error(`the stream ended before ${type}`);
    if (value.event_type === type) return value.payload as Json;
    skipped.push(value.event_type);
  }
}

test('a chat of the plugin whose client was at work goes on once the next gateway has its result', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder();
  const script = [calling('write_file', { path: 'a.txt', content: 'x' }), { text: 'Written.' }];
  const options = { ...scratch, isFileless: true, script };
  await using first = await spawnGateway(options);
  await ask(first, `${chat}/sessions/`, { session_id: 'p1', executor: 'client' });
  const events = eventsOf(first);
  await next(events, 'heartbeat');
  await ask(first, `${chat}/p1/message/`, { content: 'Write it.' });
  const { approval_id } = await next(events, 'tool.approval_request');
  await ask(first, `/my/projects/p1/approvals/${String(approval_id)}/approve`, {});
  const { tool_id } = await next(events, 'tool.execution_signal');
  await first.kill();
  await using second = await spawnGateway(options);
  const secondEvents = eventsOf(second);
  const skipped: unknown[] = [];
  await next(secondEvents, 'heartbeat');
  const resultBody = { status: 'success', output: 'written' };
  expect(await ask(second, `/my/projects/p1/tools/${String(tool_id)}/result`, resultBody)).toMatchObject({
    status: 'received',
  });
  expect(await next(secondEvents, 'tool.result_ack', skipped)).toMatchObject({ tool_id });
  await next(secondEvents, 'task_completed', skipped);
  expect(skipped).not.toContain('tool.execution_signal');
  await secondEvents.return(undefined);
});
