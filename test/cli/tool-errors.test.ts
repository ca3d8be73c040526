// Exit and output of `codelab tool`, in each dialect.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
let scratch: string;
let workspace: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-cli-'));
  workspace = mkdtempSync(join(scratch, 'workspace-'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('the exit code', { timeout: 60_000 }, () => {
  test.each([
    ['codelab', 'read_file', { path: 'nope.txt' }, { error: { code: 'FILE_NOT_FOUND' } }],
    ['agent', 'read_file', { path: '/nope.txt' }, { error_code: 'FILE_NOT_FOUND' }],
    ['plugin', 'read_file', { path: 'nope.txt' }, { status: 'error' }],
    ['plugin', 'execute_command', { command: 'ls', args: ['nope.txt'] }, { status: 'error' }],
    ['coder', 'read', { path: 'nope.txt' }, { ok: false }],
    ['coder', 'bash', { command: 'exit 3' }, { ok: false, exit_code: 3 }],
    ['kode', 'View', { file_path: 'nope.txt' }, { type: 'tool_result', is_error: true }],
    ['kode', 'NotebookEditCell', { notebook_path: 'n.ipynb', cell_number: 0, new_source: '' }, {}],
  ])('is 1 for an error of the dialect %s: %s %j', (dialect, name, args, expected) => {
    const { code, message } = tool(name, args, '--dialect', dialect, '--approve', 'all');
    expect({ code, message }).toMatchObject({ code: 1, message: expected });
  });

  test.each([
    ['codelab', 'run_command', { result: { exit_code: 3 } }],
    ['agent', 'run_command', { result: { exit_code: 3 } }],
    ['kode', 'Bash', { data: { stderr: 'Exit code 3' } }],
  ])('is 0 where a command that fails is a result: %s %s', (dialect, name, expected) => {
    const { code, message } = tool(name, { command: 'exit 3' }, '--dialect', dialect, '--approve', 'all');
    expect({ code, message }).toMatchObject({ code: 0, message: expected });
  });
});

describe('a message that is refused', { timeout: 60_000 }, () => {
  const read = { tool_name: 'read_file', call_id: 'm1' };
  test.each([
    ['codelab', 'read_file', { type: 'tool_call', ...read, args: { paht: 'a' } }, 'call_id'],
    ['agent', 'read_file', { type: 'tool_call', ...read, arguments: { paht: 'a' } }, 'call_id'],
    [
      'plugin',
      'read_file',
      {
        event_type: 'tool.execution_signal',
        payload: { tool_id: 'm1', tool_type: 'read_file', args: { paht: 'a' } },
      },
      'tool_id',
    ],
    ['kode', 'View', { type: 'tool_use', id: 'm1', tool: 'View', input: { paht: 'a' } }, 'tool_use_id'],
  ])('is answered with its own id in the dialect %s', (dialect, name, call, key) => {
    const twice = `{"x":1,"x":2,${JSON.stringify(call).slice(1)}`;
    const refused: [string, unknown][] = [
      [name, call],
      ['other', call],
      [name, twice],
    ];
    for (const [toolName, message] of refused)
      expect(tool(toolName, message, '--dialect', dialect)).toMatchObject({
        code: 1,
        message: { [key]: 'm1' },
      });
    const namedCall = tool(name, call, '--dialect', dialect, '--call-id', 'c1');
    expect(namedCall).toMatchObject({ code: 1, message: { [key]: 'c1' } });
  });

  test('keeps its id when its workspace is not there', () => {
    const call = { type: 'tool_call', ...read, args: { path: 'a' } };
    const nowhere = join(scratch, 'nowhere');
    expect(tool('read_file', call, '--workspace', nowhere)).toMatchObject({
      code: 1,
      message: { call_id: 'm1' },
    });
  });

  test('has an id of its own; bare arguments have none', () => {
    const { code, message } = tool('read_file', { call_id: 'm1' });
    expect({ code, id: message.call_id }).toEqual({ code: 1, id: expect.not.stringMatching(/^m1$/) });
  });
});

function tool(name: string, json: unknown, ...options: string[]): { code: number | null; message: Message } {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const env = { ...process.env, CODELAB_HOME: join(scratch, 'home') };
  const args = [launcher, 'tool', name, text, ...options];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: workspace, env, encoding: 'utf8' });
  return { code: status, message: JSON.parse(stdout) };
}

type Message = Record<string, unknown>;
