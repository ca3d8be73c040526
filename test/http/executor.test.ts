import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type HttpBench, httpBench, type Lines } from '../support/http-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

const base = '/my/projects/p1';
const sse = { accept: 'text/event-stream' };

async function newChat(http: HttpBench): Promise<string> {
  const { status, body } = await http.post(`${base}/chat/sessions/`, { executor: 'client' });
  expect([status, body.executor]).toEqual([201, 'client']);
  return String(body.session_id);
}

function listen(http: HttpBench, sid: string, query = ''): Promise<Lines> {
  return http.open(`${base}/chat/${sid}/events/${query}`, { headers: sse });
}

async function next(lines: Lines, type: string): Promise<Json> {
  await lines.until((line) => line === `event: ${type}`);
  const data = await lines.until((line) => line.startsWith('data: '));
  return JSON.parse(data.slice(6)) as Json;
}

/** Starts without waiting for the answer: it comes once the client has done the work. */
function execute(http: HttpBench, session_id: string, tool_name: string, tool_params: Json) {
  return http.post(`${base}/tools/execute`, { tool_name, tool_params, session_id });
}

test('seed 002: approval_request → approve → execution_signal → the client executes → result → result_ack', async () => {
  using editor = scratchFolder();
  await using http = await httpBench();
  const sid = await newChat(http);
  const events = await listen(http, sid);
  const { body } = await execute(http, sid, 'write_file', { path: 'b.txt', content: 'two\n' });
  expect(body).toMatchObject({ status: 'awaiting_approval' });
  const request = await next(events, 'tool.approval_request');
  expect(request).toMatchObject({ tool_id: body.tool_id, tool_name: 'write_file', risk_level: 'high' });
  await http.post(`/tools/${request.tool_id}/approve`);
  const signal = await next(events, 'tool.execution_signal');
  expect(signal).toMatchObject({
    type: 'tool.execution_signal',
    tool_id: body.tool_id,
    tool_type: 'write_file',
    args: { path: 'b.txt', content: 'two\n' },
    execution_context: { user_approved: true, approved_by: 'human' },
  });
  // Approved is not executed.
  expect((await http.get(`${base}/tools/${body.tool_id}`)).body).toMatchObject({ status: 'executing' });
  const { path, content } = signal.args as { path: string; content: string };
  writeFileSync(join(editor.root, path), content);
  const result = {
    tool_id: signal.tool_id,
    tool_type: 'write_file',
    status: 'success',
    output: { path, size_bytes: 4 },
    metadata: { created: true, size_bytes: 4, encoding: 'utf-8' },
    duration_ms: 3,
    timestamp: new Date().toISOString(),
  };
  const received = await http.post('/tools/result', result);
  expect(received.body).toEqual({
    success: true,
    tool_id: body.tool_id,
    status: 'received',
    receipt_status: 'received',
  });
  for (const receipt_status of ['received', 'processed'])
    expect(await next(events, 'tool.result_ack')).toMatchObject({ tool_id: body.tool_id, receipt_status });
  expect(await next(events, 'tool_result')).toMatchObject({ output: { path: 'b.txt', size_bytes: 4 } });
  events.close();
  expect(readFileSync(join(editor.root, 'b.txt'), 'utf8')).toBe('two\n');
  // The gateway's own workspace was not changed.
  expect(existsSync(join(http.bench.root, 'b.txt'))).toBe(false);
  const second = await http.post(`${base}/tools/${body.tool_id}/result`, { status: 'failed', error: 'no' });
  expect([second.status, second.body.metadata]).toEqual([404, { receipt_status: 'rejected' }]);
});

test('the agent works where the client is, with what the client says', async () => {
  const model = scriptedModel([
    { calls: [['read_file', { path: 'a.txt' }]] },
    { calls: [['execute_command', { command: 'ls', args: ['-a'] }]] },
    { calls: [['edit_file', { path: 'a.txt', old_string: 'a', new_string: 'b' }]] },
    { text: 'Done.' },
  ]);
  await using http = await httpBench({ model, files: { 'a.txt': 'of the gateway\n' } });
  const sid = await newChat(http);
  const events = await listen(http, sid);
  await http.post(`${base}/chat/${sid}/message/`, { content: 'Read a.txt' });
  const read = await next(events, 'tool.execution_signal');
  expect(read).toMatchObject({ tool_type: 'read_file', execution_context: { approved_by: 'rule' } });
  const resultBody = { status: 'completed', result: 'of the client\n', session_id: sid };
  expect((await http.post(`${base}/tools/${read.tool_id}/result`, resultBody)).status).toBe(200);
  const approvalRequest = await next(events, 'tool.approval_request');
  await http.post(`${base}/approvals/${approvalRequest.approval_id}/approve`, { decision: 'approved' });
  const run = await next(events, 'tool.execution_signal');
  expect(run).toMatchObject({ tool_type: 'execute_command', args: { command: 'ls', args: ['-a'] } });
  const ended = {
    tool_id: run.tool_id,
    status: 'error',
    output: 'x',
    error: { message: 'bad' },
    exitCode: 2,
  };
  expect((await http.post('/tools/result', ended)).status).toBe(200);
  await next(events, 'task_completed');
  events.close();
  const toolTexts = model.requests
    .at(-1)
    ?.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
  expect(toolTexts).toEqual([
    '1\tof the client\n[1 line]',
    'x\nbad\nExit code 2.',
    expect.stringContaining('TOOL_NOT_FOUND: There is no tool "edit_file".'),
  ]);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual([
    'read_file',
    'write_file',
    'list_directory',
    'execute_command',
  ]);
});

test('what nobody has taken waits for an executor; what was taken is not given out twice', async () => {
  await using http = await httpBench();
  const sid = await newChat(http);
  const watching = await listen(http, sid, '?role=approver');
  const { body } = await execute(http, sid, 'write_file', { path: 'b.txt', content: 'x' });
  await http.post(`/tools/${body.tool_id}/approve`);
  await next(watching, 'approval_resolved');
  const first = await listen(http, sid);
  await next(first, 'tool.execution_signal');
  first.close();
  // A reader is given out again: doing it twice does no harm.
  const reading = execute(http, sid, 'read_file', { path: 'a.txt' });
  const second = await listen(http, sid);
  expect(await next(second, 'tool.execution_signal')).toMatchObject({ tool_type: 'read_file' });
  second.close();
  const third = await listen(http, sid);
  const secondSignal = await next(third, 'tool.execution_signal');
  expect(secondSignal).toMatchObject({ tool_type: 'read_file' });
  await http.post('/tools/result', { tool_id: secondSignal.tool_id, status: 'success', output: 'text' });
  expect((await reading).body).toMatchObject({ status: 'completed', result: 'text' });
  // The first one may still say how it ended.
  const lateResult = { tool_id: body.tool_id, status: 'success', output: { path: 'b.txt', size_bytes: 1 } };
  expect((await http.post('/tools/result', lateResult)).status).toBe(200);
  await next(watching, 'tool_result');
  third.close();
  watching.close();
});

test('an executor that never answers leaves the outcome unknown', async () => {
  await using http = await httpBench({ limits: { runMs: 300 } });
  const sid = await newChat(http);
  const events = await listen(http, sid);
  const { body } = await execute(http, sid, 'write_file', { path: 'b.txt', content: 'x' });
  await http.post(`/tools/${body.tool_id}/approve`);
  await next(events, 'tool.execution_signal');
  expect(await next(events, 'tool_error')).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
  events.close();
  const unanswered = await execute(http, sid, 'read_file', { path: 'a.txt' });
  expect(unanswered.body).toMatchObject({ status: 'timeout', error_code: 'TIMEOUT' });
});

test.each([
  ['read_file', { path: '../a.txt' }, 'PATH_TRAVERSAL'],
  ['read_file', { path: '/etc/passwd' }, 'PATH_TRAVERSAL'],
  ['write_file', { path: 'x/../../a', content: '' }, 'PATH_TRAVERSAL'],
  ['write_file', { path: '.git/../.git/config', content: '' }, 'PERMISSION_DENIED'],
  ['execute_command', { command: 'sudo', args: ['ls'] }, 'COMMAND_BLACKLISTED'],
])('%s %j is refused before anybody is asked', async (tool, args, code) => {
  await using http = await httpBench();
  const sid = await newChat(http);
  const { body } = await execute(http, sid, tool, args);
  expect([body.status, body.error_code]).toEqual(['failed', code]);
});

test('who executes is settled when the chat is opened', async () => {
  await using http = await httpBench();
  const plainReply = await http.post(`${base}/chat/sessions/`, {});
  const refused = await http.get(`${base}/chat/${plainReply.body.session_id}/events/?role=executor`);
  expect([refused.status, refused.body.error_code]).toEqual([400, 'INVALID_ARGUMENTS']);
  const takenReply = await http.post(`${base}/chat/sessions/`, {
    session_id: plainReply.body.session_id,
    executor: 'client',
  });
  expect([takenReply.status, takenReply.body.error_code]).toEqual([400, 'ALREADY_EXISTS']);
  const oddReply = await http.post(`${base}/chat/sessions/`, { session_id: '../x', executor: 'client' });
  expect(oddReply.status).toBe(400);
});
