// /metrics as a Prometheus server reads it.
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Samples = Map<string, number>;

async function scrape(bench: GatewayBench): Promise<Samples> {
  return parse(await (await bench.request('/metrics')).text());
}

/** Refuses what is not the text form: every sample after the type of its metric, no metric twice, no series twice. */
function parse(text: string): Samples {
  const samples: Samples = new Map();
  const types = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (type?.[1] !== undefined) {
      expect(types.has(type[1])).toBe(false);
      types.set(type[1], type[2] ?? '');
    }
    if (line.startsWith('#')) continue;
    const match = /^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)*\})? (\S+)$/.exec(line);
    const [, name = '', labels = '', value = ''] = match ?? [];
    expect(line).toBe(match?.[0]);
    const base = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    expect(types.has(base)).toBe(true);
    expect(Number.isFinite(Number(value))).toBe(true);
    expect(samples.has(name + labels)).toBe(false);
    samples.set(name + labels, Number(value));
  }
  return samples;
}

test('turns, replies, calls, approvals, requests and sockets are counted, and how long they took', async () => {
  const script = scriptedModel([
    { calls: [['read_file', { path: 'a.txt' }]] },
    { calls: [['write_file', { path: 'b.txt', content: 'x' }]] },
    { calls: [['no_such_tool', {}]] },
    { text: 'Done.' },
  ]);
  await using bench = await gatewayBench({ files: { 'a.txt': 'a\n' }, script });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Go.' });
  const { call_id } = await client.next('tool_call', (message) => message.requires_approval === true);
  const whileWaiting = await scrape(bench);
  expect(whileWaiting.get('codelab_approvals_waiting')).toBe(1);
  expect(whileWaiting.get('codelab_turns_open')).toBe(1);
  expect(whileWaiting.get('codelab_sockets')).toBe(1);
  client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  await client.next('done');
  await bench.request('/nothing');
  const after = await scrape(bench);
  const expected: Record<string, number> = {
    'codelab_calls_total{tool="read_file",kind="read",status="completed"}': 1,
    'codelab_calls_total{tool="write_file",kind="edit",status="completed"}': 1,
    'codelab_calls_total{tool="other",kind="none",status="failed"}': 1,
    'codelab_call_seconds_count{kind="edit"}': 1,
    codelab_approvals_waiting: 0,
    'codelab_approvals_total{decision="approve"}': 1,
    codelab_approval_wait_seconds_count: 1,
    codelab_sessions: 1,
    codelab_turns_open: 0,
    'codelab_turns_total{end="completed"}': 1,
    codelab_turn_seconds_count: 1,
    'codelab_model_replies_total{model="scripted"}': 4,
    'codelab_model_reply_seconds_count{model="scripted"}': 4,
    'codelab_model_tokens_total{model="scripted",direction="input"}': 0,
    'codelab_http_requests_total{method="GET",route="/metrics",status="200"}': 1,
    'codelab_http_requests_total{method="GET",route="unmatched",status="404"}': 1,
    'codelab_http_request_seconds_count{method="GET",route="/metrics"}': 1,
    codelab_http_requests_under_way: 1,
    codelab_log_entries_total: (await bench.running.gateway.host.log.read('s1')).length,
  };
  for (const [name, value] of Object.entries(expected))
    expect([name, after.get(name)]).toEqual([name, value]);
  for (const name of [
    'codelab_log_append_seconds_count',
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
    'process_cpu_seconds_total',
    'codelab_event_loop_delay_seconds{quantile="0.99"}',
  ])
    expect([name, (after.get(name) ?? 0) > 0]).toEqual([name, true]);
});

test('buckets add up: each holds those below it, the last one all', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'a\n' } });
  for (let i = 0; i < 20; i++) await bench.request('/api/v1/sessions');
  const samples = await scrape(bench);
  const labels = 'method="GET",route="/api/v1/sessions"';
  const buckets = [...samples].filter(([name]) =>
    name.startsWith(`codelab_http_request_seconds_bucket{${labels},`),
  );
  const counts = buckets.map(([, count]) => count);
  expect(counts.length).toBe(14);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(buckets.at(-1)).toEqual([`codelab_http_request_seconds_bucket{${labels},le="+Inf"}`, 20]);
});

test('two who read at once count nothing twice', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'a\n' } });
  const client = await bench.connect('s1');
  for (let i = 0; i < 10; i++)
    client.send({ type: 'tool_call', tool_name: 'read_file', call_id: `c${i}`, args: { path: 'a.txt' } });
  for (let i = 0; i < 10; i++) await client.next('tool_result');
  await Promise.all([1, 2, 3, 4].map(() => scrape(bench)));
  const name = 'codelab_calls_total{tool="read_file",kind="read",status="completed"}';
  expect((await scrape(bench)).get(name)).toBe(10);
});

test('names that outsiders choose can not fill the memory of whoever reads the counters', async () => {
  let count = 0;
  const script = scriptedModel(() => {
    count++;
    return count % 101 === 0 ? { text: 'Done.' } : { calls: [[`made_up_${count}`, {}]] };
  });
  await using bench = await gatewayBench({ script });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Go.' });
  await client.next('done');
  for (let i = 0; i < 120; i++) await bench.request(`/nothing/${i}`);
  await bench.request('/nothing', { method: 'PURGE' });
  const names = [...(await scrape(bench)).keys()];
  expect(names.filter((name) => name.startsWith('codelab_calls_total')).length).toBe(1);
  expect(names.filter((name) => name.startsWith('codelab_http_requests_total')).length).toBeLessThan(5);
});

test('only the operator reads them', async () => {
  await using bench = await gatewayBench();
  expect((await bench.request('/metrics', { token: 'wrong-token' })).status).toBe(401);
  expect((await bench.request('/metrics')).headers.get('content-type')).toBe(
    'text/plain; version=0.0.4; charset=utf-8',
  );
});
