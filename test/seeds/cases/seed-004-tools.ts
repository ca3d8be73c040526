// Seed 004: its tools, and its two examples.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answerTo, ask, pair, withCallId } from '../exchange.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const written = { result: { success: true, bytes_written: 31 } };

/** The tools of seed 000 in the spelling of seed 004. */
const others: [tool: string, args: Json][] = [
  ['git.status', { path: '.' }],
  ['git.log', { limit: 10 }],
  ['git.branch', { action: 'list' }],
  ['search_in_project', { query: 'main', path: '/src' }],
  ['create_directory', { path: '/src/utils' }],
  ['move_file', { from: '/src/main.dart', to: '/src/new.dart' }],
  ['delete_file', { path: '/src/new.dart' }],
  ['run_persistent', { command: 'sleep 600', process_id: 'sleeper' }],
  ['kill_process', { process_id: 'sleeper' }],
];

export const tools004: readonly SeedCase[] = [
  {
    id: 'read_file',
    item: 'The request; the result has `content`, `size`, `modified`',
    on: ['tool', 'socket', 'executor'],
    examples: ['141', '151'],
    async play(at, call = {}, result = {}) {
      at.stage.lay({ 'src/main.dart': 'void main() { ... }' });
      const answer = await answerTo(at, call, { executed: result });
      if (at.wire === 'executor') return expect(answer).toMatchObject(result);
      expect(answer).toMatchObject({
        result: { content: 'void main() { ... }', size: 19, modified: expect.stringMatching(/^\d{4}-.*Z$/) },
      });
    },
  },
  {
    id: 'read_file: nothing invented',
    item: 'A client that does not say when a file was modified is not spoken for',
    on: ['executor'],
    examples: ['141'],
    async play(at, call = {}) {
      const executed = { result: { content: 'text' } };
      const answer = await answerTo(at, call, { executed });
      expect((answer.result as Json).modified).toBeUndefined();
    },
  },
  {
    id: 'write_file',
    item: 'The request, asked about and written',
    on: ['tool', 'socket', 'executor'],
    examples: ['165'],
    async play(at, call = {}) {
      expect(await answerTo(at, call, { executed: written })).toMatchObject(written);
      if (at.wire !== 'executor')
        expect(at.stage.text('src/new_file.dart')).toBe("void main() { print('Hello'); }");
    },
  },
  {
    id: 'list_files',
    item: 'The request; files with `name`, `type`, `size`, folders without a size',
    on: ['tool', 'socket', 'executor'],
    examples: ['180', '191'],
    async play(at, call = {}, result = {}) {
      at.stage.lay({ 'src/main.dart': 'x'.repeat(1024), 'src/utils/a.dart': '' });
      const answer = await answerTo(at, call, { executed: result });
      expect(answer).toMatchObject(result);
      expect((answer.result as { files: Json[] }).files[1]?.size).toBeUndefined();
    },
  },
  {
    id: 'git.diff',
    item: 'The request and its result',
    on: ['tool', 'socket'],
    examples: ['208', '219'],
    async play(at, call = {}, result = {}) {
      at.stage.repository({ 'main.dart': 'a\n' });
      writeFileSync(join(at.stage.root, 'main.dart'), 'b\n');
      const answer = await answerTo(at, call);
      expect(Object.keys(answer.result as Json)).toEqual(Object.keys(result.result as Json));
      expect(answer).toMatchObject({
        result: { diff: expect.stringMatching(/^diff --git a\/main\.dart b\/main\.dart\n/) },
      });
    },
  },
  {
    id: 'git.diff: a client has the files',
    item: 'The request and its result, word for word',
    on: ['executor'],
    examples: ['208', '219'],
    async play(at, call = {}, result = {}) {
      expect(await answerTo(at, call, { executed: result })).toMatchObject(result);
    },
  },
  {
    id: 'git.commit',
    item: 'The request: asked about, and only `files` are committed',
    on: ['tool', 'socket', 'executor'],
    examples: ['231'],
    async play(at, call = {}) {
      const git = at.stage.repository({ 'src/main.dart': 'a\n', 'b.txt': 'a\n' });
      for (const path of ['src/main.dart', 'b.txt']) writeFileSync(join(at.stage.root, path), 'b\n');
      const result = { hash: 'a'.repeat(40), files_committed: 1, insertions: 1, deletions: 1 };
      const answer = await answerTo(at, call, { executed: { result } });
      expect(answer).toMatchObject({ result: { files_committed: 1 } });
      if (at.wire !== 'executor')
        expect(git('show', '--name-only', '--format=%s')).toBe('feat: add new feature\n\nsrc/main.dart\n');
    },
  },
  {
    id: 'git.commit: missing file',
    item: 'A file that is not there is named',
    on: ['tool', 'socket'],
    examples: ['231'],
    async play(at, call = {}) {
      at.stage.repository({ 'a.txt': '' });
      const answer = await answerTo(at, call);
      expect(answer).toMatchObject({ error: expect.stringContaining('/src/main.dart') });
    },
  },
  {
    id: 'run_command',
    item: 'The request in a folder of the workspace; output comes with `exit_code: null`, then the end',
    on: ['socket', 'executor'],
    examples: ['248', '260'],
    async play(at, call = {}, progress = {}) {
      const both = at.wire === 'executor' ? await pair(at, 'agent') : undefined;
      const client = both?.asks ?? (await at.stage.socket('agent'));
      at.stage.lay({ 'project/path/pubspec.yaml': '' });
      client.send(withCallId(call));
      await client.next('tool_call', (message) => message.requires_approval === true);
      // flutter is not installed: the approver replaces it by another program.
      const edited = {
        ...(call.arguments as Json),
        command: 'echo "Running tests..."; sleep 0.3; echo done',
      };
      const decision = both ? { decision: 'approve' } : { decision: 'edit', modified_arguments: edited };
      client.send({ type: 'hitl_decision', call_id: 'call_1', ...decision });
      if (both) {
        const order = await both.has.next('tool_call', (message) => message.requires_approval === false);
        expect(order.arguments).toEqual(call.arguments);
        both.has.send({ type: 'tool_result', call_id: 'call_1', ...progress });
      }
      expect(await client.next('tool_result')).toMatchObject(progress);
      const end = { stdout: 'Running tests...\ndone\n', stderr: '', exit_code: 0 };
      both?.has.send({ type: 'tool_result', call_id: 'call_1', result: end });
      const result = await client.next('tool_result', ({ seq }) => seq !== undefined);
      expect(result).toMatchObject({ result: end });
    },
  },
  {
    id: 'run_command: cwd',
    item: 'A folder that is not there is an error',
    on: ['tool', 'socket'],
    examples: ['248'],
    async play(at, call = {}) {
      expect(await answerTo(at, call)).toMatchObject({ error: expect.stringContaining('/project/path') });
    },
  },
  {
    id: 'dangerous operations',
    item: '`write_file`, `delete_file`, `run_command`, `git.commit` and a push are asked about',
    on: ['socket'],
    async play({ stage }) {
      stage.repository({ 'a.txt': '' });
      const client = await stage.socket('agent');
      const calls: [string, Json][] = [
        ['write_file', { path: '/b.txt', content: '' }],
        ['delete_file', { path: '/a.txt' }],
        ['run_command', { command: 'ls' }],
        ['run_command', { command: 'git push' }],
        ['git.commit', { message: 'x', files: ['/a.txt'] }],
      ];
      writeFileSync(join(stage.root, 'a.txt'), 'changed');
      for (const [i, [tool_name, args]] of calls.entries()) {
        client.send(withCallId({ tool_name, arguments: args }, `c${i}`));
        const question = await client.next(
          ['tool_call', 'tool_result'],
          ({ call_id }) => call_id === `c${i}`,
        );
        expect([tool_name, question.requires_approval]).toEqual([tool_name, true]);
      }
      await client.close();
    },
  },
  {
    id: 'the tools of seed 000',
    item: 'Every tool is reached with `arguments`',
    on: ['socket'],
    async play({ stage }) {
      stage.repository({ 'src/main.dart': 'void main() {}\n' });
      const client = await stage.socket('agent');
      for (const [i, [tool_name, args]] of others.entries()) {
        const answer = await ask(client, withCallId({ tool_name, arguments: args }, `c${i}`));
        expect([tool_name, answer.error]).toEqual([tool_name, undefined]);
      }
      await client.close();
    },
  },
  {
    id: 'Example 1',
    item: 'The IDE sends a message, the agent asks it to read a file, the IDE answers',
    on: ['executor'],
    async play(at) {
      const model = at.stage.says([
        { calls: [['read_file', { path: '/src/main.dart' }]] },
        { text: 'It is empty.' },
      ]);
      const { has: ide } = await pair(at, 'agent');
      ide.send({ type: 'user_message', content: 'Проанализируй main.dart' });
      const { call_id, arguments: args } = await ide.next(
        'tool_call',
        ({ tool_name }) => tool_name === 'read_file',
      );
      expect(args).toEqual({ path: '/src/main.dart' });
      ide.send({ type: 'tool_result', call_id, result: { content: 'void main() {}' } });
      await ide.next('done');
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('void main() {}');
    },
  },
  {
    id: 'Example 2',
    item: 'Writing with a dialog: `approve`, or `reject` with "User rejected the operation"',
    on: ['socket'],
    async play({ stage }) {
      const args = { path: 'a.txt', content: 'a' };
      const model = stage.says([
        { calls: [['write_file', args]] },
        { calls: [['write_file', args]] },
        { text: 'Done.' },
      ]);
      const ide = await stage.socket('agent');
      ide.send({ type: 'user_message', content: 'Write a.txt' });
      const first = await ide.next('tool_call', ({ requires_approval }) => requires_approval === true);
      const feedback = 'User rejected the operation';
      ide.send({ type: 'hitl_decision', call_id: first.call_id, decision: 'reject', feedback });
      const second = await ide.next('tool_call', ({ requires_approval }) => requires_approval === true);
      expect(existsSync(join(stage.root, 'a.txt'))).toBe(false);
      ide.send({ type: 'hitl_decision', call_id: second.call_id, decision: 'approve' });
      await ide.next('done');
      expect(stage.text('a.txt')).toBe('a');
      expect(JSON.stringify(model.requests[1]?.messages)).toContain(feedback);
      await ide.close();
    },
  },
];
