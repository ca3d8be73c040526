// Seed 004: the context, the agent's state, and its errors.
import { expect } from 'vitest';
import { answerTo } from '../exchange.ts';
import type { Json, SeedCase } from '../seed-case.ts';

export const states004: readonly SeedCase[] = [
  {
    id: '4. Context Update',
    item: 'The update is confirmed; from then on model and tools read `content`, an unsaved text, in the place of the file',
    on: ['socket'],
    examples: ['102'],
    async play({ stage }, update = {}) {
      stage.lay({ 'src/main.dart': 'saved before' });
      const { content } = update.data as { content: string };
      const model = stage.says([{ calls: [['read_file', { path: 'src/main.dart' }]] }, { text: 'Read.' }]);
      const client = await stage.socket('agent', { session: 'session_123' });
      client.send(update);
      expect(await client.next('context_update')).toMatchObject({
        action: 'add_file',
        data: { path: '/src/main.dart' },
      });
      client.send({ type: 'user_message', content: 'Read main.dart' });
      await client.next('done');
      const [firstRequest, read] = model.requests;
      expect(firstRequest?.system).toContain(
        `<file path="src/main.dart" unsaved="true">\n${content}\n</file>`,
      );
      expect(read?.messages.at(-1)).toMatchObject({ role: 'tool', text: `1\t${content}\n[1 line]` });
      expect(JSON.stringify(model.requests)).not.toContain('saved before');
      await client.close();
    },
  },
  {
    id: '4. Context Update: a client has the files',
    item: 'The same in a session whose files a client has',
    on: ['executor'],
    examples: ['102'],
    async play({ stage }, update = {}) {
      const { content } = update.data as { content: string };
      const model = stage.says([{ calls: [['read_file', { path: 'src/main.dart' }]] }, { text: 'Read.' }]);
      const session = stage.newSession();
      const client = await stage.socket('agent', { session, role: 'executor' });
      client.send({ ...update, session_id: session });
      expect(await client.next(['context_update', 'error'])).toMatchObject({
        action: 'add_file',
        data: { path: '/src/main.dart' },
      });
      client.send({ type: 'user_message', content: 'Read main.dart' });
      expect(await client.next('done')).toMatchObject({ status: 'completed' });
      const [firstRequest, read] = model.requests;
      expect(firstRequest?.system).toContain(
        `<file path="src/main.dart" unsaved="true">\n${content}\n</file>`,
      );
      expect(read?.messages.at(-1)).toMatchObject({ role: 'tool', text: `1\t${content}\n[1 line]` });
      await client.close();
    },
  },
  {
    id: '4. Context Update: session_id',
    item: "Another session's `session_id` is an error",
    on: ['socket'],
    examples: ['102'],
    async play({ stage }, update = {}) {
      const client = await stage.socket('agent');
      client.send(update);
      expect(await client.next(['context_update', 'error'])).toMatchObject({ type: 'error' });
      await client.close();
    },
  },
  {
    id: 'Context: add, remove, clear',
    item: 'Each is confirmed to everybody in the words it was sent in, also to those who come later',
    on: ['socket'],
    examples: ['317', '329', '341'],
    async play({ stage }, ...updates) {
      stage.lay({ 'src/main.dart': '', 'src/old_file.dart': '' });
      const session = stage.newSession();
      const client = await stage.socket('agent', { session });
      for (const update of updates) {
        client.send(update);
        expect(await client.next('context_update')).toEqual({ ...update, seq: expect.any(Number) });
      }
      const later = await stage.gateway.connect(session, { query: '?since=0' });
      for (const update of updates) expect(await later.next('context_update')).toMatchObject(update);
      for (const connection of [client, later]) await connection.close();
    },
  },
  {
    id: '5. Agent Status',
    item: 'The five states, each with a message',
    on: ['socket'],
    examples: ['118'],
    async play({ stage }, status = {}) {
      stage.says((_request, step) => {
        if (step === 0)
          return { calls: [['write_file', { path: 'src/main.dart', content: 'void main() {}' }]] };
        throw new Error('LLM timeout');
      });
      const client = await stage.socket('agent');
      client.send({ type: 'user_message', content: 'Проанализируй main.dart' });
      const { call_id } = await client.next('tool_call');
      client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
      await client.next('done');
      const statusMessages = client.received.filter(({ type }) => type === 'agent_status');
      for (const statusMessage of statusMessages)
        expect(Object.keys(statusMessage)).toEqual(Object.keys(status));
      expect(new Set(statusMessages.map(({ status }) => status))).toEqual(
        new Set(['idle', 'thinking', 'waiting_approval', 'executing_tool', 'error']),
      );
      await client.close();
    },
  },
  {
    id: 'error codes',
    item: '`TOOL_NOT_FOUND`, `INVALID_ARGUMENTS`, `PERMISSION_DENIED`, `EXECUTION_FAILED`',
    on: ['socket'],
    async play(at) {
      const codeOf = async (tool_name: string, args: Json): Promise<unknown> =>
        (await answerTo(at, { tool_name, arguments: args })).error_code;
      expect(await codeOf('format_disk', {})).toBe('TOOL_NOT_FOUND');
      expect(await codeOf('read_file', {})).toBe('INVALID_ARGUMENTS');
      expect(await codeOf('write_file', { path: '/.git/config', content: '' })).toBe('PERMISSION_DENIED');
      const failing = { error: 'It broke.' };
      const call = { tool_name: 'read_file', arguments: { path: '/a' } };
      expect(await answerTo({ ...at, wire: 'executor' }, call, { executed: failing })).toMatchObject({
        ...failing,
        error_code: 'EXECUTION_FAILED',
      });
    },
  },
  {
    id: 'TIMEOUT',
    item: 'A command over its time ends with `TIMEOUT`',
    on: ['socket'],
    async play(at) {
      const call = { tool_name: 'run_command', arguments: { command: 'sleep 60', timeout: 1 } };
      expect(await answerTo(at, call)).toMatchObject({ error_code: 'TIMEOUT' });
    },
  },
  {
    id: 'Agent Error',
    item: 'The envelope: `error_code`, `message`, `details.reason`',
    on: ['socket'],
    examples: ['363'],
    async play({ stage }, error = {}) {
      stage.says(() => {
        throw new Error('LLM timeout');
      });
      const client = await stage.socket('agent');
      client.send({ type: 'user_message', content: 'Hello' });
      const errorMessage = await client.next('error');
      expect(errorMessage).toMatchObject({
        ...error,
        error_code: expect.stringMatching(/^(AGENT|LLM)_ERROR$/),
        message: expect.any(String),
      });
      await client.next('done');
      await client.close();
    },
  },
];
