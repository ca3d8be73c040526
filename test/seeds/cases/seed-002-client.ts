// Seed 002: ToolHandler, StreamingClient and CodeLabAPI at a real gateway.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolHandler } from '@codelab/client';
import { executeHere } from '@codelab/client/node';
import { expect } from 'vitest';
import { executors, openEditor } from '../editor.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const write = { path: 'b.txt', content: 'two\n' };
const never = new Promise<never>(() => undefined);

/** Requests that a validator refuses, and what each of them lacks. */
const unfit: [why: string, request: Json][] = [
  ['tool', { tool_name: 'format_disk', args: {}, risk_level: 'low' }],
  ['risk', { tool_name: 'read_file', args: { path: 'a.txt' }, risk_level: 'banana' }],
  ['arguments', { tool_name: 'write_file', args: {}, risk_level: 'high' }],
  ['command', { tool_name: 'execute_command', args: { command: 'sudo', args: ['rm'] }, risk_level: 'high' }],
  ['path', { tool_name: 'read_file', args: { path: '../../etc/passwd' }, risk_level: 'low' }],
];

export const client002: readonly SeedCase[] = [
  {
    id: 'Flow 1 and 2',
    item: 'Request, dialog, approve, signal, executed here and nowhere else, result, acknowledged',
    on: ['client'],
    async play({ stage }) {
      await using editor = await openEditor(stage);
      const { api, handler, local, session: sessionId } = editor;
      const { tool_id } = await api.executeTool('write_file', write, { sessionId });
      await expect.poll(async () => (await api.toolStatus(tool_id, sessionId)).status).toBe('completed');
      await expect.poll(() => handler.unconfirmedResults).toBe(0);
      expect(existsSync(join(local.root, 'b.txt'))).toBe(true);
      expect(existsSync(join(stage.root, 'b.txt'))).toBe(false);
      expect(editor.shown).toEqual(['write_file']);
    },
  },
  {
    id: 'Flow 1: rejected',
    item: 'The user declines: nothing is executed, and the backend knows why',
    on: ['client'],
    async play({ stage }) {
      await using editor = await openEditor(stage, {
        ask: () => Promise.resolve({ approved: false, reason: 'Looks risky' }),
      });
      const { api, handler, local, session: sessionId } = editor;
      const { tool_id } = await api.executeTool('write_file', write, { sessionId });
      await expect.poll(async () => (await api.toolStatus(tool_id, sessionId)).status).toBe('rejected');
      expect((await api.toolStatus(tool_id, sessionId)).error).toContain('Looks risky');
      expect(handler.history).toMatchObject([{ toolId: tool_id, status: 'rejected' }]);
      expect(existsSync(join(local.root, 'b.txt'))).toBe(false);
    },
  },
  {
    id: 'Flow 1: validateToolRequest',
    item: 'Unknown tool, invalid risk, missing arguments, `sudo`, `../..`: refused before any dialog',
    on: ['client'],
    async play({ stage }) {
      await using editor = await openEditor(stage);
      for (const [label, request] of unfit) {
        const event = { type: 'tool.approval_request', tool_id: `unfit-${label}`, ...request };
        await editor.handler.handleToolApprovalRequest(event).catch(() => undefined);
        expect([label, editor.shown]).toEqual([label, []]);
      }
    },
  },
  {
    id: 'Flow 1: timeout',
    item: 'A dialog that nobody answers ends as a timeout, not as a refusal by a human',
    on: ['client'],
    async play({ stage }) {
      await using editor = await openEditor(stage, { ask: () => never, approvalMs: 50 });
      const { api, session: sessionId } = editor;
      const { tool_id } = await api.executeTool('write_file', write, { sessionId });
      await expect
        .poll(async () => (await api.toolStatus(tool_id, sessionId)).error)
        .toMatch(/^(?!.*human refused).*(timeout|in time)/i);
    },
  },
  {
    id: 'Flow 2: invalid path',
    item: 'A path that leads out is not executed; the backend is told the error',
    on: ['client'],
    async play() {
      await using editor = await executors();
      const results: Json[] = [];
      const api = {
        sendToolResult: (_id: string, result: object) => {
          results.push(result as Json);
          return Promise.resolve({ status: 'received' });
        },
        approveToolExecution: () => Promise.resolve({ approval_id: '' }),
        rejectToolExecution: () => Promise.resolve({ approval_id: '' }),
      };
      const execute = executeHere({ host: editor.local.host, session: 'editor' });
      const handler = new ToolHandler({ api, ask: () => never, execute });
      await handler.handleToolExecutionSignal({
        type: 'tool.execution_signal',
        tool_id: 't1',
        tool_type: 'read_file',
        args: { path: '../../etc/passwd' },
        execution_context: { user_approved: true },
      });
      expect(results).toMatchObject([{ tool_id: 't1', status: 'error', error: { code: 'PATH_TRAVERSAL' } }]);
    },
  },
  {
    id: 'Flow 2: validateToolType',
    item: 'An unknown tool, and a call that nobody approved, are not executed',
    on: ['client'],
    async play({ stage }) {
      const ran: string[] = [];
      await using editor = await openEditor(stage, {
        execute: ({ tool_id }) => {
          ran.push(tool_id);
          return never;
        },
      });
      const signal = { type: 'tool.execution_signal', tool_type: 'read_file', args: { path: 'a.txt' } };
      const approved = { execution_context: { user_approved: true } };
      await editor.handler.handleToolExecutionSignal({ ...signal, tool_id: 't1' });
      await editor.handler.handleToolExecutionSignal({
        ...signal,
        ...approved,
        tool_id: 't2',
        tool_type: 'format_disk',
      });
      expect(ran).toEqual([]);
    },
  },
  {
    id: 'Concurrent Counter',
    item: 'At most three executions at once; the fourth waits and is reported too',
    on: ['client'],
    async play({ stage }) {
      let running = 0;
      let highest = 0;
      const gates: (() => void)[] = [];
      await using editor = await openEditor(stage, {
        execute: async ({ tool_id }) => {
          highest = Math.max(highest, ++running);
          await new Promise<void>((resolve) => gates.push(resolve));
          running--;
          return {
            tool_id,
            tool_type: 'read_file',
            status: 'success',
            output: '',
            duration_ms: 1,
            timestamp: '',
          };
        },
      });
      const { api, session: sessionId, handler } = editor;
      const read = () => void api.executeTool('read_file', { path: 'a.txt' }, { sessionId });
      for (let i = 0; i < 4; i++) read();
      await expect.poll(() => gates.length).toBe(3);
      gates.shift()?.();
      await expect.poll(() => gates.length).toBe(3);
      for (const open of gates) open();
      await expect.poll(() => handler.history.filter(({ status }) => status === 'completed').length).toBe(4);
      expect(highest).toBe(3);
    },
  },
  {
    id: 'State and dispose',
    item: 'Pending approvals, active executions, history; `dispose` rejects, cancels and tells so',
    on: ['client'],
    async play({ stage }) {
      const editor = await openEditor(stage, {
        ask: () => never,
        execute: (_signal, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
      });
      const { api, handler, session: sessionId } = editor;
      const pending = await api.executeTool('write_file', write, { sessionId });
      void api.executeTool('read_file', { path: 'a.txt' }, { sessionId, toolId: 'running' });
      await expect
        .poll(() => [handler.pendingApprovals.length, handler.activeExecutions.length])
        .toEqual([1, 1]);
      await editor[Symbol.asyncDispose]();
      expect(handler.history).toMatchObject([
        { toolId: pending.tool_id, status: 'rejected', error: expect.any(String) },
        { toolId: 'running', status: 'failed', startTime: expect.any(Number), endTime: expect.any(Number) },
      ]);
      await expect
        .poll(async () => (await api.toolStatus(pending.tool_id, sessionId)).status)
        .toBe('rejected');
    },
  },
  {
    id: 'handleToolResultAck',
    item: 'A result that is not acknowledged is kept, and sent again',
    on: ['client'],
    async play({ stage }) {
      await using editor = await openEditor(stage);
      const { api, handler, session: sessionId } = editor;
      await api.executeTool('read_file', { path: 'a.txt' }, { sessionId });
      await expect.poll(() => handler.unconfirmedResults).toBe(0);
      handler.handleToolResultAck({ tool_id: 't9', receipt_status: 'rejected', message: 'Too late.' });
      expect(editor.notices).toEqual(['Too late.']);
    },
  },
];
