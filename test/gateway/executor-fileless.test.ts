// A gateway without files of its own: every session is carried out by a client, and no tool reaches into the machine it runs on.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDialect } from '@codelab/dialects';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scenarioCall } from '../support/scenario-call.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

const secret = 'SECRET-OF-THE-MACHINE';

/** Arguments that would do something if the tool ran here; of other tools, those of their first scenario. */
const argsOf: Record<string, Json> = {
  read_file: { path: 'secret.txt' },
  write_file: { path: 'made.txt', content: 'x' },
  edit_file: { path: 'secret.txt', old_string: 'S', new_string: 'x' },
  multi_edit: { path: 'secret.txt', edits: [{ old_string: 'S', new_string: 'x' }] },
  notebook_edit: { path: 'a.ipynb', cell_number: 0, new_source: '' },
  apply_patch: { diff: '--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+x\n' },
  apply_patch_review: {
    diff: '--- a/secret.txt\n+++ b/secret.txt\n@@ -1 +1 @@\n-x\n+x\n',
  },
  list_files: { path: '.' },
  list_processes: {},
  todoread: {},
  undo: {},
  redo: {},
  'git.diff': {},
  'git.status': {},
  'git.log': {},
  'git.branch': {},
  search_in_project: { query: 'SECRET' },
  create_directory: { path: 'made' },
  delete_file: { path: 'secret.txt' },
  move_file: { from: 'secret.txt', to: 'made.txt' },
  run_command: { command: 'cat secret.txt' },
  run_persistent: { process_id: 'p', command: 'cat secret.txt' },
  read_process: { process_id: 'p' },
  write_process: { process_id: 'p', input: 'x' },
  kill_process: { process_id: 'p' },
  skill: { action: 'list' },
  'git.commit': { message: 'x' },
  task: { agent: 'explore', objective: 'x' },
  prompt_user: { message: 'ok?', actions: ['yes'] },
  todowrite: { todos: [] },
  restore_held_back: { call_id: 'c' },
  lsp_diagnostics: { path: 'secret.txt' },
  lsp_definition: { path: 'secret.txt', line: 1, character: 1 },
  lsp_hover: { path: 'secret.txt', line: 1, character: 1 },
  lsp_references: { path: 'secret.txt', line: 1, character: 1 },
  lsp_symbols: { path: 'secret.txt' },
  lsp_rename: { path: 'secret.txt', line: 1, character: 1, new_name: 'x' },
};

/** These tools use no files. */
const local = ['prompt_user', 'apply_patch_review', 'todoread', 'todowrite'];
const refused = ['task'];
/** The answers to the approvals among them. */
const decisions: Record<string, Json> = {
  prompt_user: { decision: 'answer', action: 'yes' },
  apply_patch_review: { decision: 'hunks', take: [1] },
};

test('every tool is handed to the client or refused; none runs here', async () => {
  await using bench = await gatewayBench({
    isFileless: true,
    mode: 'trusted',
    prepare: (root) => writeFileSync(join(root, 'secret.txt'), secret),
  });
  const executorClient = await bench.connect('s1', { query: '?dialect=codelab' });
  expect(executorClient.received[0]).toMatchObject({ role: 'executor' });
  const asks = await bench.connect('s1', { query: '?dialect=codelab&role=approver' });
  const names = findDialect('codelab').tools.map(({ name }) => name);
  for (const name of names) {
    asks.send({
      type: 'tool_call',
      call_id: name,
      tool_name: name,
      args: argsOf[name] ?? scenarioCall(name),
    });
    if (refused.includes(name)) {
      expect(await asks.next('tool_result', (message) => message.call_id === name)).toHaveProperty('error');
      continue;
    }
    const decision = decisions[name];
    if (decision !== undefined) {
      await asks.next('tool_call', (message) => message.call_id === name);
      asks.send({ type: 'hitl_decision', call_id: name, ...decision });
    }
    if (local.includes(name)) {
      expect(await asks.next('tool_result', (message) => message.call_id === name)).toHaveProperty('result');
      continue;
    }
    const received = await executorClient.next(
      ['tool_call', 'tool_result'],
      (message) => message.call_id === name,
    );
    expect([name, received.type]).toEqual([name, 'tool_call']);
    executorClient.send({ type: 'tool_result', call_id: name, error: { code: 'REJECTED', message: 'no' } });
    await asks.next('tool_result', (message) => message.call_id === name);
  }
  expect(JSON.stringify([executorClient.received, asks.received])).not.toContain(secret.slice(2));
  expect(readdirSync(join(bench.home, 'elsewhere'))).toEqual([]);
  expect(readdirSync(bench.root).sort()).toEqual(['secret.txt']);
  expect(bench.faults).toEqual([]);
});

test('the tools of other dialects, the plugin’s chats and Kode’s service find no files either', async () => {
  const script = scriptedModel([{ calls: [['read_file', { path: 'secret.txt' }]] }, { text: 'Done.' }]);
  await using bench = await gatewayBench({
    isFileless: true,
    script,
    prepare: (root) => writeFileSync(join(root, 'secret.txt'), secret),
  });
  const post = async (path: string, body: Json) =>
    await bench.request(path, { method: 'POST', body: JSON.stringify(body) });
  const created = await post('/my/projects/p/chat/sessions/', {});
  expect(created.status).toBe(201);
  const { session_id } = (await created.json()) as Json;
  const [first] = await bench.running.gateway.host.log.read(String(session_id), { limit: 1 });
  expect(first?.body).toMatchObject({ type: 'session.opened', executor: 'client' });
  const kode = await post('/api/chat/stream', { message: 'Read secret.txt' });
  expect([kode.status, await kode.text()]).toEqual([400, expect.not.stringContaining(secret)]);
  const executorClient = await bench.connect('s1');
  executorClient.send({ type: 'user_message', content: 'Read @secret.txt' });
  expect(await executorClient.next('tool_call')).toMatchObject({ tool_name: 'read_file', state: 'allowed' });
  executorClient.send({ type: 'tool_result', call_id: 'call_0_0', result: { content: 'the client’s' } });
  await executorClient.next('done');
  expect(JSON.stringify(script.requests)).not.toContain(secret);
});
