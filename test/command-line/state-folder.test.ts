// A state folder that can't be used: every command ends at once with one line that says why and what to do.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { toTheEnd } from '../support/run-bench.ts';
import { canMount, fillDisk, mountTmpfs } from '../support/tmpfs.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-state-'));
  mkdirSync(join(scratch, 'workspace'));
  writeFileSync(join(scratch, 'workspace', 'a.txt'), 'one\n');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** A command that does not end is killed, and has no exit code. */
function codelab(home: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const ended = spawnSync(process.execPath, [codelabProgram, ...args], {
    cwd: join(scratch, 'workspace'),
    env: { ...process.env, CODELAB_HOME: home, CODELAB_KEYS: join(scratch, 'keys'), NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

const list = ['run', '--model', 'demo', '--mode', 'trusted', 'list files'];
const writing = [list, ['serve', '--port', '0'], ['mcp'], ['config', 'set', 'model', 'demo']];

describe('the state folder can not be made', { timeout: 120_000 }, () => {
  test.runIf(process.platform === 'linux')('in /proc, where Node would try for ever', () => {
    for (const args of [...writing, ['undo'], ['sessions'], ['audit', 'verify']])
      expect(codelab('/proc/nope', ...args), args.join(' ')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^codelab: .*CodeLab can't write to its state folder \/proc\/nope: the system can't make the folder \/proc\/nope\. .*CODELAB_HOME.* \(IO_ERROR\)\n$/,
        ),
      });
  });

  test('where a file is in the way', () => {
    const file = join(scratch, 'workspace', 'a.txt');
    for (const home of [file, join(file, 'deeper', 'still')])
      for (const args of [list, ['undo'], ['serve', '--port', '0']])
        expect(codelab(home, ...args), `${home} ${args.join(' ')}`).toMatchObject({
          code: 1,
          stderr: `codelab: CodeLab can't write to its state folder ${home}: ${file} is not a folder. Move it away, or name another folder in CODELAB_HOME. (IO_ERROR)\n`,
        });
  });
});

describe.runIf(canMount())('the file system of the state folder', { timeout: 120_000 }, () => {
  test('is read-only: what writes says so, what reads works, and verify does not call the log broken', () => {
    const home = join(scratch, 'home');
    using disk = mountTmpfs(home, 'size=16m');
    expect(codelab(home, ...list).code).toBe(0);
    disk.remount('ro');
    const readOnly = `CodeLab can't write to its state folder ${home}: its file system is read-only. Mount it writable, or name another folder in CODELAB_HOME.`;
    for (const args of writing)
      expect(codelab(home, ...args), args.join(' ')).toMatchObject({
        code: 1,
        stderr: `codelab: ${readOnly} (IO_ERROR)\n`,
      });
    expect(codelab(home, 'tool', 'list_files', '{}').stdout).toContain(readOnly);
    expect(codelab(home, 'audit', 'verify')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `could not be verified, which does not mean that it is broken. ${readOnly}`,
      ),
    });
    expect(codelab(home, 'sessions')).toMatchObject({ code: 0, stderr: '' });
    expect(codelab(home, 'audit', 'export').code).toBe(0);
    expect(codelab(home, 'doctor').stdout).toMatch(/✖ state folder +\S+ is not writable/);
  });

  test('is full: the error names the folder and what can be moved away', () => {
    const home = join(scratch, 'home');
    using _disk = mountTmpfs(home, 'size=4m');
    expect(codelab(home, ...list).code).toBe(0);
    fillDisk(home);
    const ended = codelab(home, ...list);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /No space is left .* the state folder|No space is left on the disk of CodeLab’s state folder/,
    );
    expect(ended.stderr).toContain('(NO_SPACE)');
  });
});

describe('the session log is damaged', { timeout: 120_000 }, () => {
  const mark = Buffer.alloc(4096, 0xa5);

  test.each([
    ['its header', 0],
    ['a page in the middle', 1],
  ])('%s: every command says how to go on, doctor fails, and what it says works', (_where, page) => {
    const home = join(scratch, 'home');
    expect(codelab(home, 'run', '--model', 'demo', '--mode', 'trusted', 'write b.txt: x').code).toBe(0);
    const file = join(home, 'sessions.db');
    using db = new DatabaseSync(file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const bytes = readFileSync(file);
    for (let at = page * mark.length; at < (page === 0 ? 100 : bytes.length); at += mark.length)
      mark.copy(bytes, at, 0, page === 0 ? 100 : mark.length);
    writeFileSync(file, bytes);
    for (const name of ['sessions.db-wal', 'sessions.db-shm']) rmSync(join(home, name), { force: true });
    const aside = `mkdir ${home}/damaged-log && mv ${home}/sessions.* ${home}/damaged-log`;
    const verified = codelab(home, 'audit', 'verify');
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(aside) });
    expect(verified.stdout).toMatch(/^✖ broken .*(not a database|malformed)/);
    expect(verified.stdout).not.toContain('audit verify');
    for (const args of [list, ['sessions'], ['undo']])
      expect(codelab(home, ...args), args.join(' ')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/session log .* is damaged.*mv .*damaged-log.*\(LOG_DAMAGED\)\n$/s),
      });
    expect(codelab(home, 'doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✖ session log +damaged/),
    });
    expect(spawnSync('sh', ['-c', aside]).status).toBe(0);
    expect(codelab(home, ...list).code).toBe(0);
    expect(codelab(home, 'doctor').stdout).toMatch(/✔ session log +readable/);
  });
});

describe('the current folder was removed', { timeout: 60_000 }, () => {
  /** Runs it in a folder that is gone. */
  async function inRemovedFolder(...args: string[]) {
    const gone = join(scratch, 'gone');
    mkdirSync(gone);
    const child = spawn(
      '/bin/sh',
      ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, codelabProgram, ...args],
      {
        cwd: gone,
        env: { ...process.env, CODELAB_HOME: join(scratch, 'home'), CODELAB_KEYS: join(scratch, 'keys') },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return await toTheEnd(child);
  }

  test('what needs it says so', async () => {
    const commands = [
      list,
      ['undo'],
      ['doctor'],
      ['sessions'],
      ['review'],
      ['audit', 'verify'],
      ['policy', 'list'],
    ];
    for (const args of commands)
      expect(await inRemovedFolder(...args), args.join(' ')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'codelab: The current folder no longer exists: cd to another one, or name the workspace by its absolute path with --workspace DIR. (FILE_NOT_FOUND)\n',
      });
  });

  test('what is told the workspace by its absolute path works', async () => {
    const workspace = ['--workspace', join(scratch, 'workspace')];
    for (const args of [list, ['sessions'], ['audit', 'verify'], ['doctor']])
      expect(await inRemovedFolder(...args, ...workspace), args.join(' ')).toMatchObject({ code: 0 });
  });
});
