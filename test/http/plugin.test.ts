import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type HttpBench, httpBench, type Lines } from '../support/http-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

const base = '/my/projects/p1';
const sse = { accept: 'text/event-stream' };
const ndjson = { accept: 'application/x-ndjson' };

async function newChat(http: HttpBench): Promise<string> {
  const { status, body } = await http.post(`${base}/chat/sessions/`, { title: 'A chat' });
  expect(status).toBe(201);
  return String(body.session_id);
}

async function nextSse(lines: Lines, type: string): Promise<Json> {
  await lines.until((line) => line === `event: ${type}`);
  const data = await lines.until((line) => line.startsWith('data: '));
  return JSON.parse(data.slice(6)) as Json;
}

test('seed 002: an approval request, the approval, and the result, over server-sent events', async () => {
  await using http = await httpBench({ files: { 'a.txt': 'one\n' } });
  const sid = await newChat(http);
  const events = await http.open(`${base}/chat/${sid}/events/`, { headers: sse });
  expect(events.headers.get('content-type')).toContain('text/event-stream');
  const call = { tool_name: 'write_file', tool_params: { path: 'b.txt', content: 'two\n' }, session_id: sid };
  const executeReply = await http.post(`${base}/tools/execute`, call);
  expect(executeReply.body).toMatchObject({
    tool_name: 'write_file',
    tool_params: { path: 'b.txt', content: 'two\n' },
    status: 'awaiting_approval',
    requires_approval: true,
    session_id: sid,
  });
  const request = await nextSse(events, 'tool.approval_request');
  expect(request).toMatchObject({
    type: 'tool.approval_request',
    tool_id: executeReply.body.tool_id,
    approval_id: executeReply.body.approval_id,
    tool_name: 'write_file',
    args: { path: 'b.txt', content: 'two\n' },
    session_id: sid,
    timeout_seconds: 300,
    estimated_duration_ms: 100,
  });
  const approved = await http.post(`${base}/approvals/${request.approval_id}/approve`, {
    decision: 'approved',
  });
  expect(approved.body).toEqual({
    success: true,
    approval_id: request.approval_id,
    tool_id: request.tool_id,
    status: 'approved',
  });
  expect(await nextSse(events, 'approval_resolved')).toMatchObject({
    decision: 'approve',
    decided_by: 'tester',
  });
  const result = await nextSse(events, 'tool_result');
  expect(result).toMatchObject({ status: 'success', output: { path: 'b.txt', size_bytes: 4 } });
  expect(readFileSync(join(http.bench.root, 'b.txt'), 'utf8')).toBe('two\n');
  const later = await http.get(`${base}/tools/${request.tool_id}`);
  expect(later.body).toMatchObject({ status: 'completed', result: { path: 'b.txt', size_bytes: 4 } });
  const second = await http.post(`${base}/approvals/${request.approval_id}/reject`, { reason: 'no' });
  expect([second.status, second.body.error_code]).toEqual([400, 'ALREADY_DECIDED']);
  events.close();
  expect(http.faults).toEqual([]);
});

test('a rejection by the short form reaches the caller, with its reason', async () => {
  await using http = await httpBench();
  const sid = await newChat(http);
  const call = { tool_name: 'write_file', args: { path: 'b.txt', content: '' }, chat_session_id: sid };
  const { body } = await http.post(`${base}/tools/execute`, call);
  const rejected = await http.post(`/tools/${body.tool_id}/reject`, { reason: 'not now' });
  expect(rejected.body).toMatchObject({ success: true, status: 'rejected' });
  const events = await http.open(`${base}/chat/${sid}/events?since=0`, { headers: sse });
  expect(await nextSse(events, 'tool_error')).toMatchObject({
    tool_id: body.tool_id,
    status: 'error',
    error: { code: 'REJECTED', message: 'A human refused: not now' },
  });
  events.close();
  expect((await http.get(`${base}/tools/${body.tool_id}`)).body).toMatchObject({
    status: 'rejected',
    error_code: 'REJECTED',
  });
});

test('an edit runs what the human made of the call', async () => {
  await using http = await httpBench();
  const sid = await newChat(http);
  const call = { tool_name: 'write_file', tool_params: { path: 'b.txt', content: 'x' }, session_id: sid };
  const { body } = await http.post(`${base}/tools/execute`, call);
  const events = await http.open(`${base}/chat/${sid}/events/`, { headers: ndjson });
  const edited = { modified_args: { path: 'b.txt', content: 'y' } };
  expect((await http.post(`/tools/${body.tool_id}/approve`, edited)).status).toBe(200);
  await events.until((line) => line.includes('"event_type":"tool_result"'));
  events.close();
  expect(readFileSync(join(http.bench.root, 'b.txt'), 'utf8')).toBe('y');
});

test('a turn of the agent: what it says, what it wants, and who decides', async () => {
  const model = scriptedModel([
    { text: 'I write it.', calls: [['write_file', { path: 'b.txt', content: 'two\n' }]] },
    { text: 'Done.' },
  ]);
  await using http = await httpBench({ model });
  const sid = await newChat(http);
  const events = await http.open(`${base}/chat/${sid}/events/`, { headers: sse });
  const answer = await http.post(`${base}/chat/${sid}/message/`, { content: 'Write b.txt' });
  expect(answer.status).toBe(202);
  expect(await nextSse(events, 'message_created')).toMatchObject({ role: 'user', content: 'Write b.txt' });
  const request = await nextSse(events, 'tool.approval_request');
  const busy = await http.post(`${base}/chat/${sid}/message/`, { content: 'And c.txt' });
  expect([busy.status, busy.body.error_code]).toEqual([409, 'CONCURRENT_LIMIT_EXCEEDED']);
  await http.post(`/tools/${request.tool_id}/approve`);
  expect(await nextSse(events, 'tool_result')).toMatchObject({ tool_id: request.tool_id });
  expect(await nextSse(events, 'message_created')).toMatchObject({ role: 'assistant', content: 'Done.' });
  await nextSse(events, 'task_completed');
  events.close();
  const messages = await http.get(`${base}/chat/sessions/${sid}/messages/`);
  expect(messages.body).toMatchObject([{ role: 'user' }, { content: 'I write it.' }, { content: 'Done.' }]);
});

const asking = (folder: string): string => `
const { workbench } = await import(${JSON.stringify(join(import.meta.dirname, '../support/workbench.ts'))});
const bench = await workbench({ folder: ${JSON.stringify(folder)} });
const session = await bench.host.session('s1');
session.watch(({ body }) => body.type === 'approval.requested' && console.log(body.approval.id));
await bench.call('write_file', { path: 'b.txt', content: 'x' }, { id: 'c1', dialect: 'plugin' });
`;

test('an approval outlives the process that asked: told to whoever comes later, and carried out once it is given', async () => {
  using scratch = scratchFolder();
  const child = spawn(process.execPath, ['--input-type=module', '-e', asking(scratch.folder)]);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGKILL');
  await once(child, 'close');
  await using http = await httpBench({ folder: scratch.folder });
  const events = await http.open(`${base}/chat/s1/events/`, { headers: sse });
  const approvalId = line.toString().trim();
  expect(await nextSse(events, 'tool.approval_request')).toMatchObject({
    approval_id: approvalId,
    tool_id: 'c1',
  });
  // Known only by its id: it is looked for in the log.
  expect((await http.get(`${base}/tools/c1`)).body).toMatchObject({ status: 'awaiting_approval' });
  expect((await http.post(`/my/approvals/${approvalId}/confirm`)).status).toBe(200);
  await nextSse(events, 'tool_result');
  events.close();
  expect(readFileSync(join(scratch.root, 'b.txt'), 'utf8')).toBe('x');
});

test('the same tool_id again returns what came of it; with other arguments it is refused', async () => {
  await using http = await httpBench({ files: { 'a.txt': 'one\n' } });
  const call = { tool_name: 'read_file', tool_params: { path: 'a.txt' }, session_id: 's1', tool_id: 'c1' };
  const first = await http.post(`${base}/tools/execute`, call);
  expect((await http.post(`${base}/tools/execute`, call)).body).toEqual(first.body);
  const other = await http.post(`${base}/tools/execute`, { ...call, tool_params: { path: 'b.txt' } });
  expect([other.status, other.body.error_code]).toEqual([409, 'DUPLICATE_CALL']);
  expect((await http.get(`${base}/tools?session_id=s1`)).body).toMatchObject({
    total: 1,
    items: [first.body],
  });
});

test('the tools there are', async () => {
  await using http = await httpBench();
  const { body } = await http.get(`${base}/tools/available`);
  expect(body).toMatchObject({ success: true, total_count: 4 });
  expect((body.tools as Json[]).map(({ name, requires_approval }) => [name, requires_approval])).toEqual([
    ['read_file', false],
    ['write_file', true],
    ['list_directory', false],
    ['execute_command', true],
  ]);
});
