// `codelab tool` as a whole process: what it prints, how it ends, what it leaves behind.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compose } from '../../apps/server/src/index.ts';
import { answerApproval, pendingApprovals } from '../../packages/runtime/src/index.ts';

const repository = join(import.meta.dirname, '../..');
const launcher = join(repository, 'apps', 'cli', 'bin', 'codelab.js');
const hello = { path: 'a.txt', content: 'hello\n' };
const children: ChildProcess[] = [];
let scratch: string;
let workspace: string;
let home: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-cli-'));
  workspace = mkdtempSync(join(scratch, 'workspace-'));
  home = join(scratch, 'home');
  writeFileSync(join(workspace, 'a.txt'), 'one\ntwo\n');
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

describe('the one message on standard output', () => {
  test('is the result, and the exit code 0', () => {
    const { code, message, stderr } = tool('read_file', { path: 'a.txt' }, '--call-id', 'c1');
    const result = { content: 'one\ntwo\n', encoding: 'utf-8' };
    expect({ code, message, stderr }).toEqual({
      code: 0,
      message: { type: 'tool_result', call_id: 'c1', result },
      stderr: '',
    });
  });

  test.each([
    ['agent', 'read_file', { call_id: 'c1' }],
    ['plugin', 'read_file', { tool_id: 'c1' }],
    ['coder', 'read', { ok: true }],
  ])('is spelled as the dialect %s spells it', (dialect, name, expected) => {
    const { code, message } = tool(name, { path: 'a.txt' }, '--dialect', dialect, '--call-id', 'c1');
    expect(code).toBe(0);
    expect(JSON.stringify(message)).toContain('one\\ntwo');
    expect(message).toMatchObject(expected);
  });

  test.each([
    ['a missing file', 'read_file', '{"path":"nope.txt"}', 'FILE_NOT_FOUND'],
    ['an unknown tool', 'fly', '{}', 'TOOL_NOT_FOUND'],
    ['a wrong argument', 'read_file', '{"path":{}}', 'INVALID_ARGUMENTS'],
    ['broken JSON', 'read_file', '{"path":', 'INVALID_FORMAT'],
    ['JSON that is no object', 'read_file', '["a.txt"]', 'INVALID_ARGUMENTS'],
    ['JSON that is nested too deep', 'read_file', '['.repeat(100_000), 'INVALID_FORMAT'],
    ['a prototype', 'read_file', '{"__proto__":{"path":"a.txt"}}', 'INVALID_ARGUMENTS'],
    ['half a character', 'read_file', '{"path":"\\ud800"}', 'INVALID_ARGUMENTS'],
    ['a way out', 'read_file', '{"path":"../home"}', 'PATH_OUTSIDE_WORKSPACE'],
  ])('is an error for %s, and the exit code 1', (_, name, json, expected) => {
    const { code, message } = tool(name, json);
    expect({ code, message }).toMatchObject({ code: 1, message: { error: { code: expected } } });
  });

  test('is an error when the workspace or the state folder is no folder', () => {
    const missing = tool('read_file', {}, '--workspace', join(scratch, 'nowhere'));
    rmSync(home, { recursive: true });
    writeFileSync(home, 'a file');
    const blocked = tool('read_file', { path: 'a.txt' });
    expect([missing.code, blocked.code]).toEqual([1, 1]);
    expect([missing.message.error, blocked.message.error]).toMatchObject([
      { code: 'INVALID_ARGUMENTS' },
      { code: 'IO_ERROR' },
    ]);
  });
});

describe('the call', () => {
  test('may come from standard input', () => {
    const { code, message } = codelab(['tool', 'read_file', '-'], '{"path":"a.txt"}');
    expect({ code, message }).toMatchObject({ code: 0, message: { result: { content: 'one\ntwo\n' } } });
    const bytes = codelab(['tool', 'read_file', '-'], Buffer.from([0x22, 0xff, 0x22]));
    expect({ code: bytes.code, error: bytes.message.error }).toMatchObject({
      code: 1,
      error: { code: 'INVALID_FORMAT', message: expect.stringContaining('UTF-8') },
    });
  });

  test('may be the whole message of the dialect, whose id and wish for approval count', () => {
    const request = { type: 'tool_call', call_id: 'm1', tool_name: 'read_file', args: { path: 'a.txt' } };
    expect(tool('read_file', request)).toMatchObject({ code: 0, message: { call_id: 'm1' } });
    expect(tool('read_file', { ...request, requires_approval: true })).toMatchObject({
      code: 1,
      message: { call_id: 'm1', error: { code: 'APPROVAL_EXPIRED' } },
    });
    expect(tool('write_file', request)).toMatchObject({
      code: 1,
      message: { error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('"read_file"') } },
    });
  });

  test('with the id of an earlier one in its session does not run again', () => {
    const same = ['--session', 's1', '--call-id', 'c1', '--approve', 'all'];
    const first = tool('write_file', hello, ...same);
    writeFileSync(join(workspace, 'a.txt'), 'changed by hand\n');
    expect(tool('write_file', hello, ...same).message).toEqual(first.message);
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('changed by hand\n');
    expect(tool('write_file', { ...hello, content: 'other' }, ...same)).toMatchObject({
      code: 1,
      message: { error: { code: 'DUPLICATE_CALL' } },
    });
  });

  test('of a tool that the profile hides is not known', () => {
    expect(tool('write_file', hello, '--profile', 'plan', '--approve', 'all')).toMatchObject({
      code: 1,
      message: { error: { code: 'TOOL_NOT_FOUND' } },
    });
  });
});

describe('approval', () => {
  test('is refused at once where nobody can be asked, and standard error says why', () => {
    const { code, message, stderr } = tool('write_file', hello);
    expect({ code, message }).toMatchObject({ code: 1, message: { error: { code: 'APPROVAL_EXPIRED' } } });
    expect(stderr).toContain('default:edit: Every change to files is asked in strict mode.');
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  test('is given by --approve all, and not needed in trusted mode', () => {
    expect(tool('write_file', hello, '--approve', 'all')).toMatchObject({ code: 0, stderr: '' });
    expect(tool('write_file', { path: 'b.txt', content: '' }, '--mode', 'trusted').code).toBe(0);
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('hello\n');
  });

  test('never overrides a denial', () => {
    const hook = { path: '.git/hooks/pre-commit', content: '' };
    expect(tool('write_file', hook, '--approve', 'all', '--mode', 'trusted')).toMatchObject({
      code: 1,
      message: { error: { code: 'PERMISSION_DENIED' } },
    });
  });

  test('of a question is an answer: --approve all answers only with `approve`', () => {
    const ask = (...actions: string[]) =>
      tool('prompt_user', { message: 'Go?', actions }, '--approve', 'all');
    expect(ask('approve', 'wait')).toMatchObject({ code: 0, message: { result: { action: 'approve' } } });
    expect(ask('yes', 'no')).toMatchObject({
      code: 1,
      message: { error: { code: 'APPROVAL_EXPIRED' } },
      stderr: expect.stringContaining("can't choose between: yes, no"),
    });
  });

  test('is announced as a JSON line with --stream', () => {
    const { stdout } = codelab(['tool', 'write_file', JSON.stringify(hello), '--stream', '--call-id', 'c1']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'tool_call', call_id: 'c1', requires_approval: true },
      { type: 'tool_result', call_id: 'c1' },
    ]);
  });
});

describe('a call that waits for somebody elsewhere', () => {
  test('is cancelled by SIGINT: one message, exit code 130', async () => {
    const { child, output, closed } = await startWaiting();
    child.kill('SIGINT');
    const [code] = await closed;
    expect(JSON.parse(output.stdout)).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(code).toBe(130);
  });

  test('goes on when another process decides', async () => {
    const { output, closed } = await startWaiting();
    await using otherProcess = await compose({ workspace, home });
    const [approval] = pendingApprovals(await otherProcess.host.session('s1'));
    await answerApproval(otherProcess.host, {
      session: 's1',
      approvalId: approval?.id ?? '',
      decision: { kind: 'approve' },
      by: { who: 'somebody', via: 'test' },
    });
    const [code] = await closed;
    expect(JSON.parse(output.stdout)).toMatchObject({ result: { success: true } });
    expect(code).toBe(0);
  });
});

const own = machineNode();
test.runIf(own !== undefined)('starts under the machine’s own, older Node', () => {
  const command = join(repository, 'node_modules', '.bin', 'codelab');
  const args = [command, 'tool', 'read_file', '{"path":"a.txt"}'];
  const { status, stdout } = spawnSync(own ?? '', args, {
    cwd: workspace,
    env: environment(),
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ result: { content: 'one\ntwo\n' } });
});

function tool(name: string, json: unknown, ...options: string[]) {
  return codelab(['tool', name, typeof json === 'string' ? json : JSON.stringify(json), ...options]);
}

function codelab(args: string[], input: string | Buffer = '') {
  const options = { cwd: workspace, env: environment(), input, timeout: 20_000 };
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], options);
  const text = stdout.toString();
  const [line = '', ...rest] = text.split('\n');
  const message = rest.join('') === '' && line !== '' ? JSON.parse(line) : undefined;
  return { code, stdout: text, stderr: stderr.toString(), message };
}

/** A call without a terminal of any kind, once it has said that it waits. */
async function startWaiting(): Promise<{
  child: ChildProcess;
  output: { stdout: string };
  closed: Promise<unknown[]>;
}> {
  const args = [launcher, 'tool', 'write_file', JSON.stringify(hello), '--approve', 'ask', '--session', 's1'];
  const child = spawn(process.execPath, args, { cwd: workspace, env: environment(), detached: true });
  children.push(child);
  const closed = once(child, 'close');
  const output = { stdout: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  const [errorOutput] = await once(child.stderr, 'data');
  expect(String(errorOutput)).toContain('waits for a decision');
  return { child, output, closed };
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, CODELAB_HOME: home, NO_COLOR: '1' };
}

function machineNode(): string | undefined {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const found = folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file));
  if (found === undefined) return undefined;
  const { stdout } = spawnSync(found, ['--version'], { encoding: 'utf8' });
  return Number.parseInt(stdout.slice(1), 10) < 24 ? found : undefined;
}
