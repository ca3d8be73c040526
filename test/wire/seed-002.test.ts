// Seed 002's events over both of its streams: each tool and each way a call ends, told to the executor, to a second client beside it,
// and to one that comes later. The seed gives its messages as lists of fields; here they are.
import { decodePluginEvent, type Framing, type Json, type PluginEvent } from '@codelab/dialects';
import { expect, test } from 'vitest';
import { type HttpBench, httpBench } from '../support/http-bench.ts';

const base = '/my/projects/p1';
const accept: Record<Framing, string> = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' };

const tools: [tool: string, args: Json][] = [
  ['read_file', { path: 'src/main.ts' }],
  ['write_file', { path: 'src/new.ts', content: 'export {};\n' }],
  ['list_directory', { path: 'src' }],
  ['execute_command', { command: 'git', args: ['status'], timeout: 1000 }],
];
const ends: Json[] = [
  { status: 'success', output: 'text' },
  { status: 'error', error: { message: 'Gone.', code: 'FILE_NOT_FOUND', details: { path: 'a' } } },
  { status: 'timeout', error: { message: 'Too slow.', code: 'TIMEOUT' } },
  { status: 'cancelled', error: { message: 'Stopped.', code: 'CANCELLED' } },
];
const plays = tools.flatMap(([tool, args], i) => [
  { tool, args, end: ends[i] as Json, framing: 'sse' as const },
  { tool, args, end: ends[(i + 1) % 4] as Json, framing: 'ndjson' as const },
]);

test.each(plays)('$tool ends with $end.status, over $framing', async ({ tool, args, end, framing }) => {
  await using http = await httpBench();
  const created = await http.post(`${base}/chat/sessions/`, { executor: 'client' });
  const sid = String(created.body.session_id);
  const executor = await listen(http, sid, framing);
  const second = await listen(http, sid, framing === 'sse' ? 'ndjson' : 'sse', '?role=approver');
  const pendingRequest = http.post(`${base}/tools/execute`, {
    tool_name: tool,
    tool_params: args,
    session_id: sid,
    requires_approval: true,
  });
  const request = await executor.next('tool.approval_request');
  expect(request).toMatchObject({
    type: 'tool.approval_request',
    tool_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    tool_name: tool,
    args,
    risk_level: expect.stringMatching(/^(low|medium|high|critical)$/),
    estimated_duration_ms: expect.any(Number),
  });
  const { tool_id } = request;
  // approveToolExecution(toolId, metadata?)
  await http.post(`/tools/${String(tool_id)}/approve`, {});
  expect(await executor.next('tool.execution_signal')).toMatchObject({
    type: 'tool.execution_signal',
    tool_id,
    tool_type: tool,
    args,
    execution_context: { user_approved: true },
  });
  // sendToolResult(toolId, result)
  const result = { tool_id, tool_type: tool, duration_ms: 5, timestamp: new Date().toISOString(), ...end };
  expect((await http.post('/tools/result', result)).body).toMatchObject({
    tool_id,
    receipt_status: 'received',
  });
  expect(await executor.next('tool.result_ack')).toMatchObject({ tool_id, receipt_status: 'received' });
  const ack = await executor.next('tool.result_ack');
  expect(ack).toMatchObject({ type: 'tool.result_ack', tool_id, receipt_status: 'processed' });
  expect(ack.message).toEqual(end.status === 'success' ? undefined : (end.error as Json).message);
  const last = end.status === 'success' ? 'tool_result' : 'tool_error';
  expect(await executor.next(last)).toMatchObject({ tool_id, status: end.status });
  await second.next(last);
  const later = await listen(http, sid, framing, '?role=approver&since=0');
  await later.next(last);
  for (const [first, other] of [
    [second, executor],
    [later, executor],
  ] as const)
    expect(first.lasting()).toEqual(other.lasting());
  expect(second.heard.some(({ type }) => type === 'tool.execution_signal')).toBe(false);
  // After a lost answer the same is said again, and the receipt that is written down comes back.
  const repeated = await http.post('/tools/result', result);
  expect([repeated.status, repeated.body]).toMatchObject([200, { tool_id, receipt_status: 'processed' }]);
  const repeatedReply = await http.post(`${base}/tools/${String(tool_id)}/result`, {
    status: 'failed',
    error: 'no',
  });
  expect(repeatedReply.body.metadata).toEqual({ receipt_status: 'rejected' });
  for (const stream of [executor, second, later]) stream.close();
  await pendingRequest;
  expect(http.faults).toEqual([]);
});

test('a result that does not fit its tool is rejected, in the answer and over the stream', async () => {
  await using http = await httpBench();
  const created = await http.post(`${base}/chat/sessions/`, { executor: 'client' });
  const sid = String(created.body.session_id);
  const executor = await listen(http, sid, 'sse');
  const call = { tool_name: 'list_directory', tool_params: { path: 'src' }, session_id: sid };
  const request = http.post(`${base}/tools/execute`, call);
  const { tool_id } = await executor.next('tool.execution_signal');
  const unfit = { tool_id, status: 'success', output: 'no list' };
  const { body } = await http.post('/tools/result', unfit);
  expect(body).toMatchObject({ success: false, tool_id, receipt_status: 'rejected' });
  const ack = await executor.next('tool.result_ack');
  expect(ack).toMatchObject({ tool_id, receipt_status: 'rejected', message: expect.any(String) });
  expect(await executor.next('tool_error')).toMatchObject({ tool_id });
  expect((await http.post('/tools/result', unfit)).body).toMatchObject({ receipt_status: 'rejected' });
  executor.close();
  await request;
});

test('rejectToolExecution: nobody is told to carry it out', async () => {
  await using http = await httpBench();
  const created = await http.post(`${base}/chat/sessions/`, { executor: 'client' });
  const sid = String(created.body.session_id);
  const executor = await listen(http, sid, 'sse');
  const call = { tool_name: 'write_file', tool_params: { path: 'a', content: '' }, session_id: sid };
  const { body } = await http.post(`${base}/tools/execute`, call);
  await http.post(`/tools/${String(body.tool_id)}/reject`, { reason: 'Approval timeout' });
  expect(await executor.next('tool_error')).toMatchObject({
    error: { code: 'REJECTED', message: expect.stringContaining('Approval timeout') },
  });
  expect(executor.heard.map(({ type }) => type)).not.toContain('tool.execution_signal');
  executor.close();
});

type Listener = {
  heard: PluginEvent[];
  next(type: string): Promise<PluginEvent>;
  /** The log's messages, which every client must receive. */
  lasting(): PluginEvent[];
  close(): void;
};

async function listen(http: HttpBench, sid: string, framing: Framing, query = ''): Promise<Listener> {
  const lines = await http.open(`${base}/chat/${sid}/events/${query}`, {
    headers: { accept: accept[framing] },
  });
  const received: PluginEvent[] = [];
  const nextEvent = async (): Promise<PluginEvent> => {
    if (framing === 'ndjson') return decodePluginEvent(JSON.parse(await lines.until((line) => line !== '')));
    let id: string | undefined;
    const data = await lines.until((line) => {
      if (line.startsWith('id: ')) id = line.slice(4);
      return line.startsWith('data: ');
    });
    return decodePluginEvent(JSON.parse(data.slice(6)), id);
  };
  return {
    heard: received,
    async next(type) {
      for (;;) {
        const event = await nextEvent();
        received.push(event);
        if (event.type === type) return event;
      }
    },
    lasting: () => received.filter(({ seq }) => seq !== undefined),
    close: () => lines.close(),
  };
}
