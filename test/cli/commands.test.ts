// Every other command of `codelab` as a whole process: catalogue, policy, audit, sessions, doctor, demo.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toolSetVersion } from '@codelab/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const launcher = join(repository, 'apps', 'cli', 'bin', 'codelab.js');
let scratch: string;
let workspace: string;
let home: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-cli-'));
  workspace = join(scratch, 'workspace');
  home = join(scratch, 'home');
  cpSync(join(repository, 'examples', 'notes'), workspace, { recursive: true });
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

describe('tools', () => {
  test('lists name, kind, risk, summary and schemas, as the dialect spells them', () => {
    const { tools, version } = json('tools');
    expect(version).toBe(toolSetVersion);
    expect(tools.find(({ name }: { name: string }) => name === 'write_file')).toMatchObject({
      kind: 'edit',
      risk: 'high',
      summary: expect.any(String),
      input: { type: 'object', required: ['path', 'content'] },
      output: { type: 'object' },
    });
    const names = (...args: string[]) =>
      json('tools', ...args).tools.map(({ name }: { name: string }) => name);
    expect(names('--profile', 'plan')).not.toContain('write_file');
    expect(names('--dialect', 'coder')).toContain('read');
    expect(codelab('tools').stdout).toContain('path, content');
  });
});

describe('policy', () => {
  const env = '{"tool_name":"write_file","args":{"path":".env","content":""}}';

  test('check judges without running, and fails where nothing can be planned', () => {
    expect(json('policy', 'check', env)).toEqual({
      verdict: 'ask',
      risk: 'critical',
      rule: 'secret-files',
      reason: expect.stringContaining('secrets'),
      parts: [{ text: 'secret-files', verdict: 'ask', reason: expect.any(String) }],
    });
    expect(existsSync(join(workspace, '.env'))).toBe(false);
    const missing = codelab('policy', 'check', '{"tool_name":"read_file","args":{"path":"nope"}}');
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('FILE_NOT_FOUND') });
  });

  test('explain judges every program of a line', () => {
    expect(json('policy', 'explain', 'ls && rm -rf /')).toEqual({
      verdict: 'ask',
      risk: 'critical',
      rule: 'default:execute',
      reason: '/ would be changed, outside the workspace.',
      parts: [
        { text: 'ls', verdict: 'ask', reason: 'Every command is asked in strict mode. Only reads.' },
        { text: 'rm -rf /', verdict: 'ask', reason: '/ would be changed, outside the workspace.' },
      ],
    });
    expect(json('policy', 'explain', 'ls | head', '--mode', 'balanced')).toMatchObject({ verdict: 'allow' });
    expect(json('policy', 'explain', 'ls\rid', '--mode', 'trusted')).toMatchObject({ verdict: 'deny' });
    const output = codelab('policy', 'explain', 'timeout 5 sudo id');
    expect(output.stdout).toContain('\n  ask   timeout 5 sudo id\n');
    expect(output.stdout).toContain('\n    ask   sudo id\n          Gains more privileges than you have.\n');
    expect(codelab('policy', 'explain', 'ls', '--cwd', 'nowhere')).toMatchObject({ code: 1 });
  });

  test('a rule that is added counts, is listed, and is gone once removed', () => {
    const rule = {
      id: 'docs',
      effect: 'allow',
      reason: 'Docs are free.',
      tool: ['write_file'],
      path: ['docs/**'],
    };
    const flags = ['--id', 'docs', '--effect', 'allow', '--reason', 'Docs are free.', '--tool', 'write_file'];
    expect(json('policy', 'add', ...flags, '--path', 'docs/**')).toEqual({ scope: 'workspace', rule });
    expect(json('policy', 'list').rules).toContainEqual({ layer: 'workspace', ...rule });
    const call = '{"tool_name":"write_file","args":{"path":"docs/a.md","content":""}}';
    expect(json('policy', 'check', call)).toMatchObject({ verdict: 'allow', rule: 'docs' });
    expect(codelab('policy', 'remove', 'docs').code).toBe(0);
    expect(codelab('policy', 'remove', 'docs').code).toBe(1);
    expect(json('policy', 'check', call)).toMatchObject({ verdict: 'ask', rule: 'default:edit' });
  });

  test('a rule that contradicts its own example is not kept', () => {
    const rule = { id: 'x', effect: 'deny', reason: 'No.', path: 'a/**', matches: [{ path: 'b/c' }] };
    const added = codelab('policy', 'add', JSON.stringify(rule), '--scope', 'user');
    expect(added).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not match its own example'),
    });
    expect(codelab('policy', 'add', '{"id":"X Y","effect":"deny","reason":"No."}').stderr).toContain('`id`');
    expect(codelab('policy', 'remove', 'git-internals').stderr).toContain('can’t be removed here');
  });

  test('a workspace may loosen only while it is trusted', () => {
    const write = '{"tool_name":"write_file","args":{"path":"a.md","content":""}}';
    expect(codelab('policy', 'trust')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to trust'),
    });
    mkdirSync(join(workspace, '.codelab'));
    writeFileSync(join(workspace, '.codelab', 'config.json'), '{ "policy": { "mode": "trusted" } }');
    expect(json('policy', 'check', write).verdict).toBe('ask');
    expect(codelab('policy', 'trust').stdout).toContain('"mode": "trusted"');
    expect(json('policy', 'check', write).verdict).toBe('allow');
    expect(codelab('policy', 'untrust').code).toBe(0);
    expect(json('policy', 'check', write).verdict).toBe('ask');
  });
});

describe('audit and sessions', () => {
  beforeEach(() => {
    const content = JSON.stringify({ path: 'a.txt', content: 'hello\n' });
    codelab('tool', 'write_file', content, '--session', 's1', '--call-id', 'c1', '--approve', 'all');
    codelab('tool', 'write_file', content, '--session', 's2', '--call-id', 'c2');
  });

  test('show tells who did what, who decided and what changed', () => {
    const { stdout } = codelab('audit', 'show', 's1');
    expect(stdout).toMatch(/write_file a\.txt {2}completed in \d+ ms/);
    expect(stdout).toMatch(/ask, low risk: .* \[default:edit\]/);
    expect(stdout).toMatch(/approve by \S+ via --approve all after/);
    expect(stdout).toContain('create a.txt (nothing → 6 bytes)');
    const { calls } = json('audit');
    expect(calls.map(({ call, status }: { call: string; status: string }) => [call, status])).toEqual([
      ['c1', 'completed'],
      ['c2', 'expired'],
    ]);
  });

  test('verify proves the record, and names the first entry that was changed', () => {
    expect(json('audit', 'verify')).toMatchObject({ ok: true, sessions: 2, entries: expect.any(Number) });
    const db = new DatabaseSync(join(home, 'sessions.db'));
    db.exec("UPDATE events SET json = replace(json, 'approve', 'APPROVE') WHERE session = 's1' AND seq = 5");
    db.close();
    const broken = codelab('audit', 'verify');
    expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining('session s1, entry 5') });
    expect(codelab('audit', 'verify', 's2').code).toBe(0);
    expect(codelab('audit', 'verify', 'nobody').code).toBe(1);
  });

  test('verify says so when the database can’t be opened at all', () => {
    for (const name of ['sessions.db-wal', 'sessions.db-shm']) rmSync(join(home, name), { force: true });
    writeFileSync(join(home, 'sessions.db'), 'not a database, not at all '.repeat(100));
    expect(codelab('audit', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✖ broken'),
    });
  });

  test('export is the whole record, one event a line, each with its hash', () => {
    const { stdout } = codelab('audit', 'export');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ session: 's1', seq: 1, body: { type: 'session.opened' } });
    expect(events.at(-1)).toMatchObject({ session: 's2', body: { type: 'call.finished' } });
    expect(events.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  });

  test('sessions are listed with what waits in them, and shown one by one', () => {
    const { sessions } = json('sessions');
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual(['s2', 's1']);
    expect(json('sessions', 'show', 's1')).toMatchObject({
      id: 's1',
      calls: [{ call: 'c1' }],
      pending_approvals: [],
    });
    expect(codelab('sessions', 'show', 'nobody')).toMatchObject({ code: 1, stdout: '' });
    expect(json('sessions', 'list', '--workspace', scratch).sessions).toEqual([]);
  });
});

test('doctor says what is there, never the value of a key', () => {
  const { code, stdout } = codelab('doctor');
  expect(code).toBe(0);
  expect(stdout).toContain('openai/');
  expect(stdout).not.toContain('sk-secret');
  const names = json('doctor').checks.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'Node.js',
      'SQLite',
      'workspace',
      'state folder',
      'paths',
      'processes',
      'process identity',
      'file watching',
      'file names',
      'git',
      'ripgrep',
    ]),
  );
  expect(stdout).toMatch(/calls at once +3 of each session, 100 under way; in all 64 reads/);
  expect(codelab('doctor', '--workspace', join(scratch, 'nowhere')).code).toBe(1);
});

test('demo plays through without a terminal, and says that it is a script', () => {
  const before = readFileSync(join(repository, 'examples', 'notes', 'src', 'format.js'));
  const { code, stdout, stderr } = codelab('demo');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const part of [
    'no AI takes part',
    'LOW RISK',
    'Approved by the demo itself',
    '✖ denied',
    '✔ complete',
  ])
    expect(stdout).toContain(part);
  expect(readFileSync(join(repository, 'examples', 'notes', 'src', 'format.js'))).toEqual(before);
});

function codelab(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const env = {
    ...process.env,
    CODELAB_HOME: home,
    NO_COLOR: '1',
    OPENAI_API_KEY: 'sk-secret',
    TMPDIR: scratch,
  };
  const options = { cwd: workspace, env, input: '', encoding: 'utf8' as const, timeout: 20_000 };
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], options);
  return { code, stdout, stderr };
}

function json(...args: string[]) {
  const { code, stdout, stderr } = codelab(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
