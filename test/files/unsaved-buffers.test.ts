// Texts that an editor holds and has not saved: the model and `read_file` are given them, and nothing changes the file under them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMentions } from '@codelab/server/agent';
import { expect, test } from 'vitest';
import { executor, isOrder, isQuestion } from '../support/executor-pair.ts';
import { type Client, type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { type ScriptedModel, scriptedModel } from '../support/scripted-model.ts';
import { workbench } from '../support/workbench.ts';

type Json = Record<string, unknown>;

const disk = 'one\ntwo\n';
const unsaved = 'one\nTWO, not saved\nthree\n';
const next = 'has unsaved changes in the editor; save or close it there, then try again.';

async function update(client: Client, action: string, data?: Json): Promise<void> {
  client.send({ type: 'context_update', action, ...(data && { data }) });
  expect(await client.next(['context_update', 'error'])).toMatchObject({ type: 'context_update', action });
}

let calls = 0;
async function answer(client: Client, tool_name: string, args: Json): Promise<Json> {
  const call_id = `c${++calls}`;
  client.send({ type: 'tool_call', call_id, tool_name, arguments: args });
  return await client.next('tool_result', (message) => message.call_id === call_id);
}

async function systemTextOf(client: Client, model: ScriptedModel): Promise<string> {
  const before = model.requests.length;
  client.send({ type: 'user_message', content: 'Look.' });
  await client.next('done');
  return model.requests[before]?.system ?? '';
}

async function changeOverRest(bench: GatewayBench, body: Json): Promise<Json> {
  const response = await bench.request('/api/v1/sessions/s1/context', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return (await response.json()) as Json;
}

test('the model and read_file are given it until it is removed, also where there is no file yet', async () => {
  const script = scriptedModel(() => ({ text: 'Seen.' }));
  await using bench = await gatewayBench({ script, files: { 'src/a.txt': disk } });
  const client = await bench.connect('s1');
  await update(client, 'add_file', { path: '/src/a.txt', content: unsaved });
  await update(client, 'add_file', { path: '/src/new/b.txt', content: 'never saved' });
  expect(await answer(client, 'read_file', { path: '/src/a.txt' })).toMatchObject({
    result: { content: unsaved },
  });
  const lines = { path: 'src/a.txt', start_line: 2, end_line: 2 };
  expect(await answer(client, 'read_file', lines)).toMatchObject({ result: { content: 'TWO, not saved\n' } });
  expect(await answer(client, 'read_file', { path: 'src/new/b.txt' })).toMatchObject({
    result: { content: 'never saved' },
  });
  const text = await systemTextOf(client, script);
  expect(text).toContain(`<file path="src/a.txt" unsaved="true">\n${unsaved}\n</file>`);
  expect(text).toContain('<file path="src/new/b.txt" unsaved="true">\nnever saved\n</file>');
  await update(client, 'remove_file', { path: './src/new/b.txt' });
  await update(client, 'add_file', { path: 'src/a.txt' });
  expect(await answer(client, 'read_file', { path: 'src/a.txt' })).toMatchObject({
    result: { content: disk },
  });
  expect(await answer(client, 'read_file', { path: 'src/new/b.txt' })).toMatchObject({
    error_code: 'FILE_NOT_FOUND',
  });
  expect(await systemTextOf(client, script)).toContain(`<file path="src/a.txt">\n${disk}\n</file>`);
  expect(existsSync(join(bench.root, 'src/new'))).toBe(false);
  expect(bench.faults).toEqual([]);
});

test('over HTTP it is taken too, is kept over a restart, is brought along by @path, and clear ends it', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': disk } });
  await bench.connect('s1');
  expect(await changeOverRest(bench, { action: 'add_file', path: 'a.txt', content: unsaved })).toMatchObject({
    files: [{ path: 'a.txt', bytes: Buffer.byteLength(unsaved), is_unsaved: true }],
  });
  await bench.restart();
  const by = { who: 'ann', via: 'test' };
  const readMention = () => readMentions(bench.running.gateway.host, 'see @a.txt', { session: 's1', by });
  expect((await readMention()).files).toEqual([{ path: 'a.txt', text: unsaved }]);
  expect(await changeOverRest(bench, { action: 'clear' })).toMatchObject({ files: [] });
  expect((await readMention()).files).toEqual([{ path: 'a.txt', text: disk }]);
});

test('a text over the limit, of a folder or of a file that may not be read unasked is refused', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': disk, 'src/b.txt': '' } });
  const client = await bench.connect('s1');
  for (const [path, content, error_code, message] of [
    ['a.txt', 'é'.repeat(524_289), 'INVALID_ARGUMENTS', 'the limit is 1048576'],
    ['src', 'x', 'NOT_REGULAR_FILE', ''],
    ['.env', 'KEY=1', 'PERMISSION_DENIED', ''],
    ['new/.env', 'KEY=1', 'PERMISSION_DENIED', ''],
    ['../a.txt', 'x', 'PATH_OUTSIDE_WORKSPACE', ''],
  ] as const) {
    client.send({ type: 'context_update', action: 'add_file', data: { path, content } });
    expect(await client.next(['error', 'context_update'])).toMatchObject({
      error_code,
      message: expect.stringContaining(message),
    });
  }
  const full = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 16; n++) await update(client, 'add_file', { path: `f${n}`, content: full });
  await update(client, 'add_file', { path: 'f3', content: full });
  client.send({ type: 'context_update', action: 'add_file', data: { path: 'more', content: 'x' } });
  expect(await client.next(['error', 'context_update'])).toMatchObject({
    message: expect.stringContaining('16777216'),
  });
});

const patch = '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';

test.each<[string, Json]>([
  ['write_file', { path: 'src/a.txt', content: 'x' }],
  ['write_file', { path: 'src/new.txt', content: 'x' }],
  ['write_file', { path: 'src/a.txt', content: 'x', must_have_read: true }],
  ['edit_file', { path: 'src/a.txt', old_string: 'two', new_string: '2' }],
  ['edit_file', { path: 'src/a.txt', old_string: 'TWO, not saved', new_string: '2' }],
  ['multi_edit', { path: 'src/a.txt', edits: [{ old_string: 'two', new_string: '2' }] }],
  ['notebook_edit', { path: 'src/n.ipynb', cell_number: 0, new_source: 'x' }],
  ['apply_patch', { diff: patch }],
  ['delete_file', { path: 'src/a.txt' }],
  ['delete_file', { path: 'src', recursive: true }],
  ['move_file', { from: 'src/a.txt', to: 'c.txt' }],
  ['move_file', { from: 'src', to: 'lib' }],
  ['move_file', { from: 'other.txt', to: 'src/new.txt' }],
])('%s %j ends as STALE and says what to do', async (tool, args) => {
  await using bench = await gatewayBench({
    files: { 'src/a.txt': disk, 'other.txt': 'o', 'src/n.ipynb': '{}' },
    mode: 'trusted',
  });
  const client = await bench.connect('s1', { query: '?dialect=codelab' });
  await update(client, 'add_file', { path: 'src/a.txt', content: unsaved });
  await update(client, 'add_file', { path: 'src/new.txt', content: 'new' });
  await update(client, 'add_file', { path: 'src/n.ipynb', content: '{ }' });
  const { outcome } = await callOverRest(bench, tool, args);
  expect(outcome).toMatchObject({
    status: 'failed',
    error: { code: 'STALE', message: expect.stringContaining(next) },
  });
  expect(readFileSync(join(bench.root, 'src/a.txt'), 'utf8')).toBe(disk);
  expect(existsSync(join(bench.root, 'src/new.txt'))).toBe(false);
});

async function callOverRest(bench: GatewayBench, tool: string, args: Json): Promise<{ outcome: Json }> {
  const response = await bench.request('/api/v1/sessions/s1/calls', {
    method: 'POST',
    body: JSON.stringify({ tool, args, approve: true }),
  });
  return (await response.json()) as { outcome: Json };
}

test('what was approved before the text came is not run', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': disk } });
  const client = await bench.connect('s1');
  client.send({
    type: 'tool_call',
    call_id: 'w',
    tool_name: 'write_file',
    arguments: { path: 'a.txt', content: 'x' },
  });
  await client.next('tool_call', isQuestion);
  await update(client, 'add_file', { path: 'a.txt', content: unsaved });
  client.send({ type: 'hitl_decision', call_id: 'w', decision: 'approve' });
  expect(await client.next('tool_result')).toMatchObject({ call_id: 'w', error_code: 'STALE' });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(disk);
});

test('a text that another process records after the call was planned still stops it', async () => {
  await using bench = await workbench({ files: { 'a.txt': disk }, mode: 'trusted' });
  await bench.call('read_file', { path: 'a.txt' });
  bench.host = bench.host.decorated((tool) => ({
    ...tool,
    async plan(input, context) {
      const planned = await tool.plan(input, context);
      const expected = (await bench.log.read('s1')).at(-1)?.seq ?? 0;
      const text = { op: 'add_file', path: 'a.txt', content: unsaved } as const;
      await bench.log.append('s1', [{ type: 'context.changed', ...text }], { expected });
      return planned;
    },
  }));
  expect(await bench.call('write_file', { path: 'a.txt', content: 'x' })).toMatchObject({
    status: 'failed',
    error: { code: 'STALE', message: expect.stringContaining(next) },
  });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(disk);
});

test('once it is saved, edits go on, and each is read back as it was written', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': disk }, mode: 'trusted' });
  const client = await bench.connect('s1');
  await update(client, 'add_file', { path: 'a.txt', content: unsaved });
  writeFileSync(join(bench.root, 'a.txt'), unsaved);
  for (const content of ['first\n', 'second\n']) {
    expect((await callOverRest(bench, 'write_file', { path: 'a.txt', content })).outcome).toMatchObject({
      status: 'completed',
    });
    expect(await answer(client, 'read_file', { path: 'a.txt' })).toMatchObject({ result: { content } });
  }
});

test('where a client has the files, reading is answered from the text; a change is handed out and ends it', async () => {
  const script = scriptedModel([
    { calls: [['read_file', { path: 'src/a.txt' }]] },
    { calls: [['write_file', { path: 'src/a.txt', content: 'written' }]] },
    { calls: [['read_file', { path: 'src/a.txt' }]] },
    { text: 'Done.' },
  ]);
  await using bench = await gatewayBench({ script, files: { 'src/a.txt': 'of the gateway' } });
  const executorClient = await bench.connect('s1', executor());
  executorClient.send({
    type: 'context_update',
    action: 'add_file',
    data: { path: '/src/a.txt', content: unsaved },
  });
  expect(await executorClient.next(['context_update', 'error'])).toMatchObject({
    type: 'context_update',
    data: { path: '/src/a.txt' },
  });
  executorClient.send({ type: 'user_message', content: 'Change it.' });
  const { call_id } = await executorClient.next('tool_call', isQuestion);
  expect(executorClient.received.filter(isOrder).map(({ tool_name }) => tool_name)).toEqual([]);
  executorClient.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  expect(await executorClient.next('tool_call', isOrder)).toMatchObject({ tool_name: 'write_file' });
  executorClient.send({ type: 'tool_result', call_id, result: { success: true, bytes_written: 7 } });
  const secondMessage = await executorClient.next(
    'tool_call',
    (message) => isOrder(message) && message.call_id !== call_id,
  );
  expect(secondMessage).toMatchObject({ tool_name: 'read_file' });
  executorClient.send({
    type: 'tool_result',
    call_id: secondMessage.call_id,
    result: { content: 'written' },
  });
  expect(await executorClient.next('done')).toMatchObject({ status: 'completed' });
  const [first, second, third, last] = script.requests;
  expect(first?.system).toContain(`<file path="src/a.txt" unsaved="true">\n${unsaved}\n</file>`);
  expect(JSON.stringify(second?.messages)).toContain('TWO, not saved');
  expect(third?.system).toContain('[with the client; read it when needed]');
  expect(JSON.stringify(last?.messages.at(-1))).toContain('written');
  expect(JSON.stringify(script.requests)).not.toContain('of the gateway');
  expect(bench.faults).toEqual([]);
});
