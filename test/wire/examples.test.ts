// Every JSON message of seeds 000 and 004, word for word, over a real socket: calls and results between an approver and the executor
// that has the files, decisions, the context and the agent's state with the gateway itself.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  decodeClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  findDialect,
  type Json,
  type Spelling,
} from '@codelab/dialects';
import { describe, expect, test } from 'vitest';
import { expectReadable } from '../support/expect-readable.ts';
import { type Client, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Example = { line: number; under: string; message: Json };
type Exchange = { call: Example; results: Example[] };

const seeds: [seed: string, spelling: Spelling][] = [
  ['000', 'codelab'],
  ['004', 'agent'],
];
const examples = new Map(seeds.map(([seed]) => [seed, load(seed)]));
const examplesOf = (seed: string): Example[] => examples.get(seed) ?? [];
const nameOf = ({ line, under }: Example): string => `line ${line}, ${under}`;
const played = new Set<Example>();

/** The examples of seed 004 of one type, marked as played. */
function take(type: string): Example[] {
  const found = examplesOf('004').filter(({ message }) => message.type === type);
  for (const one of found) played.add(one);
  return found;
}

describe.each(seeds)('seed %s, between an approver and an executor', (seed, spelling) => {
  test.each(exchanges(seed).map((one) => [nameOf(one.call), one] as const))(
    '%s',
    async (_name, { call, results }) => {
      await using bench = await gatewayBench();
      const query = `?dialect=${spelling}`;
      const executor = await bench.connect('s1', { query: `${query}&role=executor` });
      await executor.next('session_info');
      const approver = await bench.connect('s1', { query: `${query}&role=approver` });
      const watching = await bench.connect('s1', { query: `${query}&role=viewer` });
      await watching.next('agent_status');
      const sent = { call_id: 'call_1', ...call.message };
      approver.send(sent);
      const ended = await carryOut({ approver, executor, spelling }, sent, results);
      await watching.next('tool_result', ({ seq }) => seq === ended.seq);
      const lateClient = await bench.connect('s1', { query: `${query}&role=approver&since=0` });
      await lateClient.next('tool_result', ({ seq }) => seq === ended.seq);
      expect(logged(lateClient)).toEqual(logged(watching));
      for (const client of [approver, executor, watching, lateClient])
        expectReadable(client.received, spelling);
      expect(bench.faults).toEqual([]);
      for (const one of [call, ...results]) played.add(one);
    },
  );
});

function load(seed: string): Example[] {
  const file = join(import.meta.dirname, '../..', 'fixtures', 'wire', `seed-${seed}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Example[];
}

/** The examples in their order: each call with the answers that follow it. */
function exchanges(seed: string): Exchange[] {
  const all: Exchange[] = [];
  for (const example of examplesOf(seed)) {
    const { type, tool_name, result, call_id } = example.message;
    if (tool_name !== undefined) all.push({ call: example, results: [] });
    else if (type === 'tool_result' || result !== undefined) {
      // An answer to a call that the seed does not show.
      const isOf = ({ call }: Exchange): boolean => call_id === undefined || call.message.call_id === call_id;
      (all.findLast(isOf) ?? all[0])?.results.push(example);
    }
  }
  return all.flatMap(({ call, results }) =>
    // A call has one end: each further one is played with the call once more.
    results.length < 2 ? [{ call, results }] : results.map((one) => ({ call, results: [one] })),
  );
}

async function carryOut(
  { approver, executor, spelling }: { approver: Client; executor: Client; spelling: Spelling },
  sent: Json,
  results: Example[],
): Promise<Json> {
  const first = await executor.next(['tool_call', 'tool_result']);
  // The seed's example has no real diff, and a human does not see it; real ones are among the scenarios.
  if (sent.tool_name === 'apply_patch_review') {
    expect(first).toMatchObject({ type: 'tool_result', error: { code: 'PATCH_APPLY_FAILED' } });
    return await ended(approver);
  }
  if (first.requires_approval === true) {
    const question = (first.plan as { question?: object }).question;
    const decision =
      question === undefined ? { decision: 'approve' } : { decision: 'answer', action: 'approve' };
    approver.send({ type: 'hitl_decision', call_id: sent.call_id, ...decision });
    if (question !== undefined) return await ended(approver);
    const order = await executor.next('tool_call', (message) => message.state !== undefined);
    expect(order).toMatchObject({ requires_approval: false, state: 'approved' });
    expectSame(order, sent, spelling);
  } else expectSame(first, sent, spelling);
  const fields = { error: { code: 'EXECUTION_FAILED', message: 'Not today.' } };
  for (const { message } of results) {
    executor.send({ type: 'tool_result', ...message, call_id: sent.call_id });
    const result = await approver.next('tool_result');
    expect(result).toMatchObject({ ...message, type: 'tool_result', call_id: sent.call_id });
    if (result.seq !== undefined) return result;
  }
  executor.send({ type: 'tool_result', call_id: sent.call_id, ...fields });
  return await ended(approver);
}

const ended = async (client: Client): Promise<Json> =>
  await client.next('tool_result', ({ seq }) => seq !== undefined);

/** The executor is told the call as it was meant: paths may be spelled otherwise, and what was left unsaid may be said. */
function expectSame(told: Json, sentMessages: Json, spelling: Spelling): void {
  expect(told).toMatchObject({ call_id: sentMessages.call_id, tool_name: sentMessages.tool_name });
  const [expected, heard] = [sentMessages, told].map((one) =>
    findDialect(spelling).decode({ ...one, type: 'tool_call' }),
  );
  if (expected?.type !== 'call' || heard?.type !== 'call') throw new Error('no call');
  expect(heard.call.args).toMatchObject(expected.call.args);
}

const logged = ({ received }: Client): Json[] => received.filter(({ seq }) => seq !== undefined);

test.each(take('hitl_decision').map((example) => [nameOf(example), example.message] as const))(
  '%s',
  async (_name, decision) => {
    await using bench = await gatewayBench();
    const client = await bench.connect('s1');
    const args = { path: '/src/main.dart', content: 'void main() {}' };
    client.send({ type: 'tool_call', tool_name: 'write_file', call_id: 'call_xyz789', arguments: args });
    await client.next('tool_call');
    client.send(decision);
    const result = await client.next('tool_result');
    const { path, content } = { ...args, ...(decision.modified_arguments as typeof args | undefined) };
    const file = join(bench.root, path);
    if (decision.decision === 'reject') {
      expect(result).toMatchObject({
        error_code: 'REJECTED',
        error: expect.stringContaining(String(decision.feedback)),
      });
      expect(existsSync(file)).toBe(false);
    } else expect(readFileSync(file, 'utf8')).toBe(content);
    expectReadable(client.received, 'agent');
  },
);

test('seed 004: the context is changed, and everybody hears of it, also later', async () => {
  const files = { 'src/main.dart': 'void main() {}', 'src/old_file.dart': '' };
  await using bench = await gatewayBench({ files });
  const [client, second] = [await bench.connect('session_123'), await bench.connect('session_123')];
  const received: Json[] = [];
  for (const { message } of take('context_update')) {
    client.send(message);
    received.push(await client.next('context_update'));
    const { action, data } = message as { action: string; data?: { path: string } };
    const path = data && { data: { path: data.path } };
    expect(received.at(-1)).toEqual({ type: 'context_update', action, ...path, seq: expect.any(Number) });
    expect(await second.next('context_update')).toEqual(received.at(-1));
  }
  const later = await bench.connect('session_123', { query: '?since=0' });
  for (const message of received) expect(await later.next('context_update')).toEqual(message);
  expectReadable(later.received, 'agent');
});

test('seed 004: every state of the agent, and its failure', async () => {
  const script = scriptedModel((_request, step) => {
    if (step === 0) return { calls: [['write_file', { path: 'a.txt', content: 'x' }]] };
    throw new Error('LLM timeout');
  });
  await using bench = await gatewayBench({ script });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Проанализируй main.dart' });
  const { call_id } = await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  const [failure] = take('error');
  const { type, error_code, message } = (failure as Example).message;
  const error = await client.next('error');
  expect(error).toMatchObject({
    type,
    error_code,
    message: expect.any(typeof message === 'string' ? String : Object),
  });
  await client.next('done');
  const [example] = take('agent_status');
  const reported = client.received.filter((message) => message.type === 'agent_status');
  for (const one of reported) expect(Object.keys(one)).toEqual(Object.keys((example as Example).message));
  expect(new Set(reported.map(({ status }) => status))).toEqual(
    new Set(['idle', 'thinking', 'waiting_approval', 'executing_tool', 'error']),
  );
  expectReadable(client.received, 'agent');
});

describe.each(seeds)('seed %s', (seed, spelling) => {
  test.each(examplesOf(seed).map((example) => [nameOf(example), example.message] as const))(
    '%s is read and written',
    (_name, message) => {
      const shown = {
        type: message.tool_name === undefined ? 'tool_result' : 'tool_call',
        call_id: 'c',
        ...message,
      };
      const isServers = ['agent_status', 'error'].includes(shown.type);
      const again = isServers
        ? encodeServerMessage(decodeServerMessage(shown), spelling)
        : encodeClientMessage(decodeClientMessage(shown), spelling);
      const { call_id, ...rest } = shown;
      const has = shown.type === 'context_update' ? rest : { call_id, ...rest };
      expect(again).toMatchObject(isServers || shown.type === 'context_update' ? message : has);
    },
  );

  test('every example was played', () => {
    const remaining = examplesOf(seed).filter((example) => !played.has(example));
    expect(remaining.map(nameOf)).toEqual([]);
  });
});
