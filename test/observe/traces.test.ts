// Traces as a collector receives them: one for each turn, a span for each step of a call, with the times of the log.
import { describe, expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { scriptedCast } from '../support/scripted-cast.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const envFor = ({ url }: OtlpReceiver): NodeJS.ProcessEnv => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '20',
});

const isTurn = ({ name }: ReceivedSpan): boolean => name === 'turn';
const called =
  (id: string) =>
  ({ name, attributes }: ReceivedSpan): boolean =>
    name === 'call' && attributes['codelab.call_id'] === id;
const namesOf = (spans: readonly ReceivedSpan[]): string[] => spans.map(({ name }) => name);

async function entries(bench: GatewayBench, session: string) {
  return await bench.running.gateway.host.log.read(session);
}

describe('a turn', () => {
  test('is one trace: each reply, each call, and the steps of each, as long as the log says', async () => {
    await using collector = await otlpReceiver();
    const script = scriptedModel([
      { calls: [['read_file', { path: 'a.txt' }]] },
      { calls: [['write_file', { path: 'b.txt', content: 'hidden-content' }]] },
      { calls: [['delete_file', { path: 'a.txt' }]] },
      { text: 'hidden-words' },
    ]);
    await using bench = await gatewayBench({
      files: { 'a.txt': 'hidden-file\n' },
      script,
      env: envFor(collector),
    });
    const client = await bench.connect('s1');
    client.send({ type: 'user_message', content: 'hidden-prompt' });
    const first = await client.next('tool_call', ({ requires_approval }) => requires_approval === true);
    client.send({ type: 'hitl_decision', call_id: first.call_id, decision: 'approve' });
    const second = await client.next('tool_call', ({ requires_approval }) => requires_approval === true);
    client.send({
      type: 'hitl_decision',
      call_id: second.call_id,
      decision: 'reject',
      feedback: 'hidden-no',
    });
    const turn = await collector.next(isTurn);
    expect(turn).toMatchObject({
      parentId: undefined,
      isError: false,
      attributes: {
        'codelab.session': 's1',
        'codelab.turn': 1,
        'codelab.model': 'scripted',
        'codelab.profile': 'build',
        'codelab.end': 'completed',
        'codelab.replies': 4,
        'codelab.calls': 3,
      },
      resource: { 'service.name': 'codelab' },
    });
    expect(namesOf(collector.below(turn)).sort()).toEqual([
      ...['call', 'call', 'call'],
      ...['model reply', 'model reply', 'model reply', 'model reply'],
    ]);
    const [read, write, remove] = collector.below(turn).filter(({ name }) => name === 'call');
    expect(namesOf(collector.below(read))).toEqual(['plan', 'judge', 'run', 'record']);
    expect(namesOf(collector.below(write))).toEqual(['plan', 'judge', 'ask', 'run', 'record']);
    expect(namesOf(collector.below(remove))).toEqual(['plan', 'judge', 'ask', 'record']);
    expect(read?.attributes).toMatchObject({ 'codelab.kind': 'read', 'codelab.paths': ['a.txt'] });
    expect(write?.attributes).toMatchObject({ 'codelab.tool': 'write_file', 'codelab.status': 'completed' });
    expect(remove?.attributes).toMatchObject({
      'codelab.status': 'rejected',
      'codelab.error_code': 'REJECTED',
    });
    const asks = collector.spans.filter(({ name }) => name === 'ask');
    expect(asks.map(({ attributes }) => attributes)).toMatchObject([
      { 'codelab.decision': 'approve', 'codelab.decided_via': 'websocket' },
      { 'codelab.decision': 'reject', 'codelab.decided_by': expect.any(String) },
    ]);
    const log = await entries(bench, 's1');
    const at = (type: string): number[] =>
      log.flatMap((event) => (event.body.type === type ? [event.time] : []));
    expect(asks.map(({ start }) => start)).toEqual(at('approval.requested'));
    expect(asks.map(({ end }) => end)).toEqual(at('approval.decided'));
    expect([turn.start, turn.end]).toEqual([...at('turn.started'), ...at('turn.ended')]);
    expect([read, write, remove].map((one) => one?.end)).toEqual(at('call.finished'));
    const hash = log.find(({ body }) => body.type === 'turn.started')?.hash;
    expect(turn.traceId).toBe(hash?.slice(0, 32));
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([turn.traceId]));
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length);
    for (const { start, end } of collector.spans) expect(end).toBeGreaterThanOrEqual(start);
    expect(collector.bodies.join('')).not.toMatch(/hidden-|secret-token/);
    expect(bench.faults).toEqual([]);
  });

  test('that goes on after a restart goes on in the same trace, and nothing is told twice', async () => {
    await using collector = await otlpReceiver();
    const script = scriptedModel([
      { calls: [['read_file', { path: 'a.txt' }]] },
      { calls: [['write_file', { path: 'b.txt', content: 'x' }]] },
      { text: 'Done.' },
    ]);
    await using bench = await gatewayBench({ files: { 'a.txt': 'a\n' }, script, env: envFor(collector) });
    const before = await bench.connect('s1');
    before.send({ type: 'user_message', content: 'Write it.' });
    await before.next('tool_call', ({ requires_approval }) => requires_approval === true);
    await bench.restart();
    const early = collector.spans.length;
    expect(early).toBeGreaterThan(0);
    const client = await bench.connect('s1');
    const { call_id } = await client.next('tool_call');
    client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
    const turn = await collector.next(isTurn);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([turn.traceId]));
    expect(namesOf(collector.below(turn)).sort()).toEqual([
      ...['call', 'call'],
      ...['model reply', 'model reply', 'model reply'],
    ]);
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length);
    expect(turn.attributes).toMatchObject({ 'codelab.replies': 3, 'codelab.calls': 2 });
  });

  test('has the sub-agents its calls started within them', async () => {
    await using collector = await otlpReceiver();
    const script = scriptedCast({
      main: [{ calls: [['task', { agent: 'explore', objective: 'Find it.' }]] }, { text: 'Done.' }],
      explore: [{ calls: [['read_file', { path: 'a.txt' }]] }, { text: 'Found.' }],
    });
    const files = { 'a.txt': 'a\n' };
    await using bench = await gatewayBench({ files, script, mode: 'trusted', env: envFor(collector) });
    const client = await bench.connect('s1');
    client.send({ type: 'user_message', content: 'Look.' });
    const turn = await collector.next(isTurn);
    const [task] = collector.below(turn).filter(({ name }) => name === 'call');
    const agent = collector.below(task).find(({ name }) => name === 'agent');
    expect(agent?.attributes).toMatchObject({ 'codelab.profile': 'explore', 'codelab.calls': 1 });
    expect(namesOf(collector.below(agent)).sort()).toEqual(['call', 'model reply', 'model reply']);
    const [read] = collector.below(agent).filter(({ name }) => name === 'call');
    expect(namesOf(collector.below(read))).toEqual(['plan', 'judge', 'run', 'record']);
  });

  test('whose request is part of a trace elsewhere is linked to it', async () => {
    await using collector = await otlpReceiver();
    await using bench = await gatewayBench({ env: envFor(collector) });
    const callerSpan = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
    const headers = { traceparent: `00-${callerSpan.traceId}-${callerSpan.spanId}-01` };
    const body = JSON.stringify({ message: 'Hello' });
    const answer = await bench.request('/api/chat/stream', { method: 'POST', body, headers });
    expect(await answer.text()).toContain('Hello.');
    expect(await collector.next(isTurn)).toMatchObject({ links: [callerSpan] });
  });
});

describe('calls of peers', () => {
  test('are traces of their own, also those that fail, are denied or do not exist', async () => {
    await using collector = await otlpReceiver();
    await using bench = await gatewayBench({ files: { 'a.txt': 'a\n' }, env: envFor(collector) });
    const client = await bench.connect('s1');
    const call = (call_id: string, tool_name: string, args: object): void =>
      client.send({ type: 'tool_call', tool_name, call_id, args });
    call('c1', 'read_file', { path: 'a.txt' });
    call('c2', 'read_file', { path: 'none.txt' });
    call('c3', 'read_file', { path: '../out' });
    const [good, missing, outside] = await Promise.all(
      ['c1', 'c2', 'c3'].map((id) => collector.next(called(id))),
    );
    expect(new Set([good?.traceId, missing?.traceId, outside?.traceId]).size).toBe(3);
    expect(good).toMatchObject({ parentId: undefined, isError: false });
    expect(namesOf(collector.below(good))).toEqual(['plan', 'judge', 'run', 'record']);
    expect(missing).toMatchObject({ isError: true, attributes: { 'codelab.error_code': 'FILE_NOT_FOUND' } });
    expect(namesOf(collector.below(missing))).toEqual(['plan', 'record']);
    expect(outside).toMatchObject({ attributes: { 'codelab.error_code': 'PATH_OUTSIDE_WORKSPACE' } });
  });
});

test('a collector that is gone costs spans, and nothing else; it is said once', async () => {
  const lines: string[] = [];
  const log = { level: 'info' as const, write: (line: string) => void lines.push(line) };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_BSP_SCHEDULE_DELAY: '1' };
  const bench = await gatewayBench({ files: { 'a.txt': 'a\n' }, env, log });
  const client = await bench.connect('s1');
  for (let i = 0; i < 20; i++) {
    const args = { path: 'a.txt' };
    client.send({ type: 'tool_call', tool_name: 'read_file', call_id: `c${i}`, args });
    await client.next('tool_result');
  }
  const before = performance.now();
  await bench[Symbol.asyncDispose]();
  expect(performance.now() - before).toBeLessThan(5000);
  expect(lines.filter((line) => line.includes('traces can not be delivered')).length).toBeLessThanOrEqual(1);
  expect(bench.faults).toEqual([]);
});

test('only some traces are taken when that is wished, and those whole', async () => {
  await using collector = await otlpReceiver();
  const part = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
  const bench = await gatewayBench({ files: { 'a.txt': 'a\n' }, env: { ...envFor(collector), ...part } });
  const client = await bench.connect('s1');
  for (let i = 0; i < 40; i++) {
    const args = { path: 'a.txt' };
    client.send({ type: 'tool_call', tool_name: 'read_file', call_id: `c${i}`, args });
    await client.next('tool_result');
  }
  await bench[Symbol.asyncDispose]();
  const callSpans = collector.spans.filter(({ name }) => name === 'call');
  expect(callSpans.length).toBeGreaterThan(5);
  expect(callSpans.length).toBeLessThan(35);
  expect(collector.spans.length).toBe(callSpans.length * 5);
});
