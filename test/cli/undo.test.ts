// `codelab undo` and `codelab redo` as whole processes: what they bring back, what they refuse, how they end.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
const nothing = { code: 1, stdout: '', stderr: 'There is nothing to undo here.\n' };

let scratch: string;
let workspace: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-undo-'));
  workspace = join(scratch, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.txt'), 'zero\r\nno newline');
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

describe('undo and redo', { timeout: 60_000 }, () => {
  test('bring a file back byte for byte, and again', () => {
    write('a.txt', 'one\n');
    expect(codelab('undo')).toEqual({ code: 0, stdout: 'restored a.txt\n', stderr: '' });
    expect(textOf('a.txt')).toBe('zero\r\nno newline');
    expect(codelab('redo')).toEqual({ code: 0, stdout: 'restored a.txt\n', stderr: '' });
    expect(textOf('a.txt')).toBe('one\n');
    expect(codelab('redo')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is nothing to redo here.\n',
    });
  });

  test('with nothing to undo or redo, no session is made', () => {
    expect(codelab('undo')).toEqual(nothing);
    expect(codelab('redo').code).toBe(1);
    expect(JSON.parse(codelab('sessions', 'list', '--json').stdout)).toEqual({ sessions: [] });
  });

  test('in a folder that was renamed, the path of its sessions is named', () => {
    write('a.txt', 'one\n');
    const old = workspace;
    workspace = join(scratch, 'renamed');
    renameSync(old, workspace);
    const sessionsElsewhere =
      /^There is nothing to undo here\.\nThere are sessions in .*workspace, which no longer/;
    expect(codelab('undo')).toMatchObject({ code: 1, stderr: expect.stringMatching(sessionsElsewhere) });
    mkdirSync(old);
    expect(codelab('undo')).toEqual(nothing);
    rmSync(old, { recursive: true });
    renameSync(workspace, old);
    workspace = old;
    expect(codelab('undo').stdout).toBe('restored a.txt\n');
  });

  test('a new file goes, and each undo goes one call further back', () => {
    write('a.txt', 'one\n');
    write('b.txt', 'new\n');
    expect(codelab('undo').stdout).toBe('removed b.txt\n');
    expect(existsSync(join(workspace, 'b.txt'))).toBe(false);
    expect(codelab('undo').stdout).toBe('restored a.txt\n');
    expect(textOf('a.txt')).toBe('zero\r\nno newline');
    expect(codelab('undo')).toEqual(nothing);
  });

  test('a file that stays staged is named, with the command that unstages it', () => {
    const git = (...args: string[]): string =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: workspace,
        encoding: 'utf8',
      }).stdout;
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Start');
    codelab('tool', 'run_command', JSON.stringify({ command: 'git mv a.txt b.txt' }), '--approve', 'all');
    expect(git('status', '--short')).toBe('R  a.txt -> b.txt\n');
    const { code, stdout } = codelab('undo');
    expect([code, stdout.split('\n').slice(-3)]).toEqual([
      0,
      ['Still staged in git: a.txt, b.txt', 'To unstage: git restore --staged -- a.txt b.txt', ''],
    ]);
    expect(git('status', '--short')).not.toBe('');
    git('restore', '--staged', '--', 'a.txt', 'b.txt');
    expect(git('status', '--short')).toBe('');
    // The user's own staged changes stay.
    writeFileSync(join(workspace, 'a.txt'), 'mine\n');
    git('add', 'a.txt');
    write('a.txt', 'one\n');
    expect(codelab('undo').stdout).toBe('restored a.txt\n');
  });

  test('across sessions the newest change goes first; --session stays with one', () => {
    write('a.txt', 'one\n', 's1');
    write('b.txt', 'two\n', 's2');
    write('c.txt', 'three\n', 's1');
    expect(codelab('undo', '--session', 's2').stdout).toBe('removed b.txt\n');
    expect(codelab('undo').stdout).toBe('removed c.txt\n');
    expect(codelab('undo').stdout).toBe('restored a.txt\n');
  });

  test('--path takes back one file of a call', () => {
    write('b.txt', 'one\n');
    write('a.txt', 'two\n');
    expect(codelab('undo', '--path', 'b.txt').stdout).toBe('removed b.txt\n');
    expect(textOf('a.txt')).toBe('two\n');
  });

  test('--call takes back one call, whatever came after it', () => {
    tool('write_file', { path: 'b.txt', content: '1\n' }, '--call-id', 'c1');
    write('c.txt', '2\n');
    expect(codelab('undo', '--call', 'c1').stdout).toBe('removed b.txt\n');
    expect(existsSync(join(workspace, 'c.txt'))).toBe(true);
  });

  test('what was deleted is restored, what was moved goes back', () => {
    tool('move_file', { from: 'a.txt', to: 'moved.txt' });
    tool('delete_file', { path: 'moved.txt' });
    expect(codelab('undo')).toEqual({ code: 0, stdout: 'restored moved.txt\n', stderr: '' });
    expect(textOf('moved.txt')).toBe('zero\r\nno newline');
    expect(codelab('undo')).toEqual({ code: 0, stdout: 'moved moved.txt to a.txt\n', stderr: '' });
    expect(textOf('a.txt')).toBe('zero\r\nno newline');
  });

  test('a file that was changed since is refused and named; --force takes it all the same', () => {
    write('a.txt', 'one\n');
    writeFileSync(join(workspace, 'a.txt'), 'by hand\n');
    expect(codelab('undo')).toEqual({
      code: 1,
      stdout: 'refused a.txt: it was changed since (use --force)\n',
      stderr:
        "Nothing was undone.\nTo undo the agent's changes and keep the later ones: codelab review\nTo overwrite the later changes: codelab undo --force (with --path PATH, only in that file)\n",
    });
    expect(textOf('a.txt')).toBe('by hand\n');
    expect(codelab('undo', '--force').code).toBe(0);
    expect(textOf('a.txt')).toBe('zero\r\nno newline');
    expect(codelab('redo').code).toBe(0);
    expect(textOf('a.txt')).toBe('by hand\n');
  });

  test('where force can’t help, the next step does not name it', () => {
    write('a.txt', 'one\n');
    rmSync(join(scratch, 'home', 'trash'), { recursive: true });
    expect(codelab('undo')).toEqual({
      code: 1,
      stdout: 'refused a.txt: its previous content is no longer stored (14 days, 1 GiB)\n',
      stderr: 'Nothing was undone. Each line above says why; --force does not change that.\n',
    });
    expect(textOf('a.txt')).toBe('one\n');
  });

  test('of several files only the changed one is refused', () => {
    writeFileSync(join(workspace, 'b.txt'), 'b\n');
    const patchFor = (path: string, before: string): string =>
      `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${before}!\n`;
    writeFileSync(join(workspace, 'a.txt'), 'a\n');
    tool('apply_patch', { diff: patchFor('a.txt', 'a') + patchFor('b.txt', 'b') });
    writeFileSync(join(workspace, 'a.txt'), 'by hand\n');
    expect(codelab('undo')).toEqual({
      code: 1,
      stdout: 'restored b.txt\nrefused a.txt: it was changed since (use --force)\n',
      stderr: '',
    });
    expect([textOf('a.txt'), textOf('b.txt')]).toEqual(['by hand\n', 'b\n']);
  });
});

describe('what is asked and told', { timeout: 60_000 }, () => {
  test('--dry-run says what would change and changes nothing', () => {
    expect(codelab('undo', '--dry-run')).toEqual(nothing);
    write('a.txt', 'one\n');
    const { code, stdout } = codelab('undo', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('undo a.txt');
    expect(stdout).toContain('Nothing was changed');
    expect(textOf('a.txt')).toBe('one\n');
    writeFileSync(join(workspace, 'a.txt'), 'by hand\n');
    expect(codelab('undo', '--dry-run').stdout).toBe('refused a.txt: it was changed since (use --force)\n');
    expect(textOf('a.txt')).toBe('by hand\n');
  });

  test('--json prints what the call returned', () => {
    tool('write_file', { path: 'b.txt', content: '1\n' }, '--session', 's1', '--call-id', 'c1');
    expect(JSON.parse(codelab('undo', '--json').stdout)).toEqual({
      taken_back: [{ session: 's1', call_id: 'c1', paths: ['b.txt'] }],
      refused: [],
    });
    expect(codelab('undo', '--json')).toEqual({
      code: 1,
      stdout: '{"taken_back":[],"refused":[]}\n',
      stderr: 'There is nothing to undo here.\n',
    });
  });

  test('the audit names the human’s command; a rule that denies still denies', () => {
    write('a.txt', 'one\n');
    write('a.txt', 'two\n');
    expect(codelab('undo').code).toBe(0);
    expect(codelab('audit', 'show', '--json').stdout).toContain('codelab undo');
    const rule = { id: 'no-undo', effect: 'deny', reason: 'Not here.', tool: 'undo' };
    expect(codelab('policy', 'add', JSON.stringify(rule))).toMatchObject({ code: 0 });
    expect(codelab('undo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Not here.') });
    expect(codelab('undo', '--dry-run')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Not here.'),
    });
    expect(textOf('a.txt')).toBe('one\n');
  });

  test.each([
    [['--turn', '0'], '--turn must be a whole number, 1 or more.'],
    [['--turn', '1', '--call', 'c1'], 'Give --turn or --call, not both.'],
    [['now'], '"now" is an unexpected argument.'],
  ])('%j is wrong usage', (words, message) => {
    expect(codelab('undo', ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

function codelab(...words: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words], {
    cwd: workspace,
    encoding: 'utf8',
    env: { ...process.env, CODELAB_HOME: join(scratch, 'home'), NO_COLOR: '1' },
  });
  return { code: status, stdout, stderr };
}

function tool(name: string, args: object, ...options: string[]): void {
  const ran = codelab('tool', name, JSON.stringify(args), '--approve', 'all', ...options);
  expect(ran).toMatchObject({ code: 0 });
}

function write(path: string, content: string, session = 's'): void {
  tool('write_file', { path, content }, '--session', session);
}

function textOf(path: string): string {
  return readFileSync(join(workspace, path), 'utf8');
}
