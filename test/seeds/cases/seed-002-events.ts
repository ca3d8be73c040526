// Seed 002: its events over both framings of the stream, the calls of its API, and the flows between them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Chat, openChat } from '../plugin-stream.ts';
import type { At, Json, SeedCase } from '../seed-case.ts';

const base = '/my/projects/p1';
const risks = expect.stringMatching(/^(low|medium|high|critical)$/);
const tools: [tool: string, args: Json][] = [
  ['read_file', { path: 'src/main.ts' }],
  ['write_file', { path: 'src/new.ts', content: 'export {};\n' }],
  ['list_directory', { path: 'src' }],
  ['execute_command', { command: 'git', args: ['status'] }],
];
const success: Json = { status: 'success', output: 'text', duration_ms: 5 };

/** A call that waits for its user at the client that has the files. */
async function requestApproval(chat: Chat, tool: string, args: Json): Promise<Json> {
  void chat.post(`${base}/tools/execute`, {
    tool_name: tool,
    tool_params: args,
    session_id: chat.session,
    requires_approval: true,
  });
  return await chat.next('tool.approval_request');
}

async function signalled(chat: Chat, tool: string, args: Json): Promise<Json> {
  const { tool_id } = await requestApproval(chat, tool, args);
  await chat.post(`/tools/${String(tool_id)}/approve`, {});
  return await chat.next('tool.execution_signal');
}

const open = ({ stage, wire }: At, executor: 'client' | 'gateway' = 'client'): Promise<Chat> =>
  openChat(stage, { framing: wire === 'ndjson' ? 'ndjson' : 'sse', executor });

export const events002: readonly SeedCase[] = [
  {
    id: 'ToolApprovalRequest',
    item: '`type`, `tool_id`, `tool_name`, `args`, `risk_level`, `estimated_duration_ms`, for each of the four tools',
    on: ['sse', 'ndjson'],
    async play(at) {
      await using chat = await open(at);
      for (const [tool_name, args] of tools)
        expect(await requestApproval(chat, tool_name, args)).toMatchObject({
          type: 'tool.approval_request',
          tool_id: expect.any(String),
          tool_name,
          args,
          risk_level: risks,
          estimated_duration_ms: expect.any(Number),
        });
    },
  },
  {
    id: 'ToolApprovalRequest: command',
    item: 'The same from the one-shot command',
    on: ['tool'],
    async play({ stage }) {
      const args = { path: 'a.txt', content: 'x' };
      const words = [
        'tool',
        'write_file',
        JSON.stringify(args),
        '--dialect',
        'plugin',
        '--stream',
        '--approve',
        'all',
      ];
      const { lines } = await stage.codelab(words);
      expect(lines.find(({ type }) => type === 'tool.approval_request')).toMatchObject({
        tool_id: expect.any(String),
        tool_name: 'write_file',
        args,
        risk_level: risks,
        estimated_duration_ms: expect.any(Number),
      });
    },
  },
  {
    id: 'ToolExecutionSignal',
    item: '`type`, `tool_id`, `tool_type`, `args`, `execution_context` with the approval; nothing is added to `args`',
    on: ['sse', 'ndjson'],
    async play(at) {
      await using chat = await open(at);
      for (const [tool_type, args] of tools)
        expect(await signalled(chat, tool_type, args)).toMatchObject({
          type: 'tool.execution_signal',
          tool_id: expect.any(String),
          tool_type,
          execution_context: { user_approved: true },
        });
      expect(
        chat.heard.filter(({ type }) => type === 'tool.execution_signal').map(({ args }) => args),
      ).toEqual(tools.map(([, args]) => args));
    },
  },
  {
    id: 'ToolResultAck',
    item: '`received` when a result has come, `processed` when it was taken',
    on: ['sse', 'ndjson'],
    async play(at) {
      await using chat = await open(at);
      const { tool_id } = await signalled(chat, 'read_file', { path: 'a.txt' });
      await chat.post('/tools/result', { tool_id, tool_type: 'read_file', ...success });
      for (const receipt_status of ['received', 'processed'])
        expect(await chat.next('tool.result_ack')).toMatchObject({
          type: 'tool.result_ack',
          tool_id,
          receipt_status,
        });
    },
  },
  {
    id: 'ToolResultAck: rejected',
    item: '`rejected`, with a message, for a result that can not be taken',
    on: ['sse', 'ndjson'],
    async play(at) {
      await using chat = await open(at);
      const { tool_id } = await signalled(chat, 'list_directory', { path: 'src' });
      await chat.post('/tools/result', { tool_id, tool_type: 'list_directory', ...success, output: 7 });
      const ack = await chat.next('tool.result_ack', (message) => message.receipt_status !== 'received');
      expect(ack).toMatchObject({ tool_id, receipt_status: 'rejected', message: expect.any(String) });
    },
  },
  {
    id: 'sendToolResult',
    item: '`POST /tools/result` and `/tools/{id}/result`; sent again it is answered with the receipt',
    on: ['rest'],
    async play(at) {
      await using chat = await open(at);
      for (const address of ['/tools/result', undefined]) {
        const { tool_id } = await signalled(chat, 'read_file', { path: 'a.txt' });
        const path = address ?? `${base}/tools/${String(tool_id)}/result`;
        const send = () => chat.post(path, { tool_id, tool_type: 'read_file', ...success });
        const first = await send();
        expect(first).toMatchObject({ status: 200, body: { tool_id, receipt_status: 'received' } });
        expect(await send()).toMatchObject({ status: 200, body: { tool_id } });
        expect(await chat.next('tool_result')).toMatchObject({ tool_id, status: 'success' });
      }
    },
  },
  {
    id: 'sendToolResult: ends',
    item: 'A result ends as success, error or timeout, and the backend tells it so',
    on: ['sse', 'ndjson'],
    async play(at) {
      await using chat = await open(at);
      const ends: [status: string, error: Json][] = [
        ['error', { message: 'Gone.', code: 'FILE_NOT_FOUND' }],
        ['timeout', { message: 'Too slow.', code: 'TIMEOUT' }],
      ];
      for (const [status, error] of ends) {
        const { tool_id } = await signalled(chat, 'read_file', { path: 'a.txt' });
        await chat.post('/tools/result', { tool_id, tool_type: 'read_file', status, error, duration_ms: 5 });
        expect(await chat.next('tool_error')).toMatchObject({ tool_id, status, error });
      }
    },
  },
  {
    id: 'approveToolExecution',
    item: '`(toolId, metadata?)`, by the id of the call or of the approval; once',
    on: ['rest'],
    async play(at) {
      await using chat = await open(at, 'gateway');
      for (const key of ['tool_id', 'approval_id']) {
        const request = await requestApproval(chat, 'write_file', { path: `${key}.txt`, content: key });
        const approve = () =>
          chat.post(`/tools/${String(request[key])}/approve`, { metadata: { from: 'dialog' } });
        expect(await approve()).toMatchObject({ status: 200, body: { success: true, status: 'approved' } });
        expect(await approve()).toMatchObject({ status: 400 });
        await chat.next('tool_result');
        expect(at.stage.text(`${key}.txt`)).toBe(key);
      }
    },
  },
  {
    id: 'rejectToolExecution',
    item: '`(toolId, reason)`: nobody is told to execute, the reason reaches the backend',
    on: ['rest'],
    async play(at) {
      await using chat = await open(at);
      const { tool_id } = await requestApproval(chat, 'write_file', { path: 'a.txt', content: '' });
      await chat.post(`/tools/${String(tool_id)}/reject`, { reason: 'User declined' });
      expect(await chat.next('tool_error')).toMatchObject({
        tool_id,
        error: { code: 'REJECTED', message: expect.stringContaining('User declined') },
      });
      expect(chat.heard.some(({ type }) => type === 'tool.execution_signal')).toBe(false);
    },
  },
  {
    id: 'Backend as the executor',
    item: 'The gateway has the files: request, approval, result, for reading, writing, listing and commands',
    on: ['sse', 'ndjson'],
    async play(at) {
      at.stage.lay({ 'src/main.ts': 'export {};\n' });
      await using chat = await open(at, 'gateway');
      for (const [tool, args] of [...tools.slice(0, 3), ['execute_command', { command: 'ls' }] as const]) {
        const { tool_id } = await requestApproval(chat, tool, args);
        await chat.post(`/tools/${String(tool_id)}/approve`, {});
        expect(await chat.next('tool_result')).toMatchObject({ tool_id, status: 'success' });
      }
      expect(existsSync(join(at.stage.root, 'src/new.ts'))).toBe(true);
    },
  },
  {
    id: 'Reconnect',
    item: 'A stream that is opened again goes on after the last event it had',
    on: ['sse', 'ndjson'],
    async play(at) {
      await using chat = await open(at);
      const { tool_id } = await signalled(chat, 'read_file', { path: 'a.txt' });
      await chat.post('/tools/result', { tool_id, tool_type: 'read_file', ...success });
      await chat.next('tool_result');
      await using later = await chat.again();
      expect(await later.next('tool.approval_request')).toMatchObject({ tool_id });
      expect(await later.next('tool_result')).toMatchObject({ tool_id });
    },
  },
];
