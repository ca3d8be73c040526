// ToolHandler between a real gateway and a real workspace of its own: seed 002's flow, and what goes wrong in it.
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AskUser,
  CodeLabAPI,
  StreamingClient,
  ToolHandler,
  type ToolHandlerOptions,
} from '@codelab/client';
import { executeHere, validateHere } from '@codelab/client/node';
import { expect, test } from 'vitest';
import { freePort } from '../support/bad-lines.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const backoff = { firstMs: 10, mostMs: 50 };
const token = 'secret-token';
const approve: AskUser = () => Promise.resolve({ approved: true });

/** An editor with files of its own at a chat of the gateway whose calls it carries out. */
async function editorAt(bench: GatewayBench, options: Partial<ToolHandlerOptions> = {}) {
  const { url } = bench.running;
  const local = await workbench({ files: { 'a.txt': 'of the editor\n' } });
  const api = new CodeLabAPI({ url, token, backoff });
  const { session_id } = await api.chats.open({ executor: 'client' });
  const notices: string[] = [];
  const askedTools: unknown[] = [];
  const ask = options.ask ?? approve;
  const handler = new ToolHandler({
    api,
    execute: executeHere({ host: local.host, session: 'editor' }),
    onNotice: (text) => notices.push(text),
    ...options,
    ask(request, signal) {
      askedTools.push(request.tool_name);
      return ask(request, signal);
    },
  });
  const stream = new StreamingClient({ url, session: session_id, wire: 'plugin', token, backoff });
  handler.attach(stream);
  await stream.connect();
  return {
    api,
    local,
    handler,
    stream,
    notices,
    asked: askedTools,
    session: session_id,
    ended: (id: string) =>
      expect.poll(async () => (await api.toolStatus(id, session_id)).status, { timeout: 10_000 }),
    async [Symbol.asyncDispose]() {
      await handler.dispose();
      stream.close();
      await local[Symbol.asyncDispose]();
    },
  };
}

test('seed 002: asked here, approved, signalled, carried out here and nowhere else, told, acknowledged', async () => {
  await using bench = await gatewayBench();
  await using editor = await editorAt(bench);
  const { api, handler, session: sessionId } = editor;
  const params = { path: 'b.txt', content: 'two\n' };
  const { tool_id } = await api.executeTool('write_file', params, { sessionId });
  await editor.ended(tool_id).toBe('completed');
  expect(readFileSync(join(editor.local.root, 'b.txt'), 'utf8')).toBe('two\n');
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  await expect.poll(() => handler.unconfirmedResults).toBe(0);
  expect(editor.asked).toEqual(['write_file']);
  expect(handler.history).toMatchObject([
    { toolId: tool_id, toolType: 'write_file', status: 'completed', userApproved: true, riskLevel: 'high' },
  ]);
  expect([handler.pendingApprovals, handler.activeExecutions, editor.notices]).toEqual([[], [], []]);
  editor.local.human(approveAll, 'editor');
  const undoOutcome = await editor.local.call('undo', {}, { session: 'editor' });
  expect([undoOutcome.status, existsSync(join(editor.local.root, 'b.txt'))]).toEqual(['completed', false]);
});

test('the agent of such a chat works in the editor’s files', async () => {
  const script = scriptedModel([
    { calls: [['read_file', { path: 'a.txt' }]] },
    { calls: [['write_file', { path: 'a.txt', content: 'by the agent\n' }]] },
    { text: 'Done.' },
  ]);
  await using bench = await gatewayBench({ script, files: { 'a.txt': 'of the gateway\n' } });
  await using editor = await editorAt(bench);
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  editor.stream.on('task_completed', () => resolve());
  await editor.api.chats.say(editor.session, 'Change a.txt');
  await finished;
  expect(readFileSync(join(editor.local.root, 'a.txt'), 'utf8')).toBe('by the agent\n');
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('of the gateway\n');
});

test('a rejection reaches the gateway with its reason', async () => {
  await using bench = await gatewayBench();
  const ask: AskUser = () => Promise.resolve({ approved: false, reason: 'Looks risky' });
  await using editor = await editorAt(bench, { ask });
  const { api, session: sessionId, handler } = editor;
  const { tool_id } = await api.executeTool('write_file', { path: 'x', content: '' }, { sessionId });
  await editor.ended(tool_id).toBe('rejected');
  expect(await api.toolStatus(tool_id, sessionId)).toMatchObject({
    error: 'A human refused: Looks risky',
    error_code: 'REJECTED',
  });
  expect(handler.history).toMatchObject([{ status: 'rejected', error: 'Looks risky', userApproved: false }]);
});

test('a question that nobody answered in time is told as that, not as the refusal of a human', async () => {
  await using bench = await gatewayBench();
  const ask: AskUser = () => new Promise<never>(() => undefined);
  await using editor = await editorAt(bench, { ask, approvalMs: 50 });
  const { api, session: sessionId, handler } = editor;
  const { tool_id } = await api.executeTool('write_file', { path: 'x', content: '' }, { sessionId });
  await editor.ended(tool_id).toBe('timeout');
  expect(await api.toolStatus(tool_id, sessionId)).toMatchObject({
    error: 'Nobody answered in time where it was asked, so it was not run.',
    error_code: 'APPROVAL_EXPIRED',
  });
  const [entry] = handler.history;
  expect([entry?.error, entry?.userApproved]).toEqual(['Approval timeout', undefined]);
});

test('what this machine would refuse is not asked about, and the gateway hears who refused it', async () => {
  await using bench = await gatewayBench({ files: { 'link/b.txt': 'of the gateway\n' } });
  const local = await workbench();
  symlinkSync('..', join(local.root, 'link'));
  const executorOptions = { host: local.host, session: 'editor' };
  await using editor = await editorAt(bench, {
    execute: executeHere(executorOptions),
    validate: validateHere(executorOptions),
  });
  const { api, session: sessionId } = editor;
  const args = { path: 'link/b.txt', content: '' };
  const { tool_id } = await api.executeTool('write_file', args, { sessionId });
  await editor.ended(tool_id).toBe('rejected');
  expect((await api.toolStatus(tool_id, sessionId)).error).toMatch(/^The client refused this call: .*link/);
  expect(editor.asked).toEqual([]);
  await local[Symbol.asyncDispose]();
});

test('a question that somebody else answers closes, and the editor’s own rules then ask for themselves', async () => {
  await using bench = await gatewayBench();
  let isClosed = false;
  const ask: AskUser = (_request, signal) =>
    new Promise(() => {
      signal.addEventListener('abort', () => {
        isClosed = true;
      });
    });
  await using editor = await editorAt(bench, { ask });
  const { api, session: sessionId } = editor;
  const { tool_id } = await api.executeTool('write_file', { path: 'x', content: '' }, { sessionId });
  await expect.poll(() => editor.handler.pendingApprovals.length).toBe(1);
  await api.approveToolExecution(tool_id, { session_id: sessionId });
  await expect.poll(() => isClosed).toBe(true);
  // Approved at the gateway only: here nobody said yes.
  await editor.ended(tool_id).toBe('failed');
  expect(existsSync(join(editor.local.root, 'x'))).toBe(false);
});

test('a result that the gateway could not hear is kept and sent when it is back', async () => {
  const port = await freePort();
  await using bench = await gatewayBench({ port });
  const { promise: started, resolve: begin } = Promise.withResolvers<void>();
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  await using editor = await editorAt(bench, {
    execute: async ({ tool_id }) => {
      begin();
      await gate;
      return {
        tool_id,
        tool_type: 'read_file',
        status: 'success',
        output: 'kept',
        duration_ms: 1,
        timestamp: '',
      };
    },
  });
  const { api, session: sessionId, handler } = editor;
  void api.executeTool('read_file', { path: 'a.txt' }, { sessionId, toolId: 't1' }).catch(() => undefined);
  await started;
  await bench.running[Symbol.asyncDispose]();
  go();
  await expect.poll(() => handler.activeExecutions.length, { timeout: 10_000 }).toBe(0);
  expect(handler.unconfirmedResults).toBe(1);
  await bench.restart();
  // The gateway may take it, or have given the call up meanwhile; either way it is not kept for ever.
  await expect.poll(() => handler.unconfirmedResults, { timeout: 10_000 }).toBe(0);
});
