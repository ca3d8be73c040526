import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from './run-program.ts';

const shell = { program: '/bin/sh', cwd: '/', env: { PATH: '/usr/bin:/bin' }, maxBytes: 1000 };
const { signal } = new AbortController();

test('a program gets its input, and its output and code come back', async () => {
  const ran = await runProgram({ ...shell, signal, args: ['-c', 'cat; echo no >&2; exit 3'], input: 'in' });
  expect(ran).toEqual({ stdout: Buffer.from('in'), stderr: 'no\n', exitCode: 3, isCut: false });
});

test('one that prints without end is stopped at the limit', async () => {
  const ran = await runProgram({ ...shell, signal, args: ['-c', 'yes'] });
  expect([ran.isCut, ran.stdout.length]).toEqual([true, 1000]);
});

test('one that prints errors without end is heard, but not kept whole', async () => {
  const ran = await runProgram({ ...shell, signal, args: ['-c', 'yes | head -c 1000000 >&2'] });
  expect(ran.stderr.length).toBe(16 * 1024);
});

test('a group that ignores being asked is ended, grandchildren too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-test-'));
  try {
    const stop = new AbortController();
    const script = `trap '' TERM; sleep 60 & echo $$ $! > pids.new; mv pids.new pids; wait`;
    const ended = runProgram({ ...shell, cwd: folder, signal: stop.signal, args: ['-c', script] }).catch(
      String,
    );
    await expect.poll(() => existsSync(join(folder, 'pids')), { timeout: 10_000, interval: 10 }).toBe(true);
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ');
    expect(pids.map(isRunning)).toEqual([true, true]);
    stop.abort();
    expect(await ended).toContain('AbortError');
    expect(pids.map(isRunning)).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// A process that was not reaped yet still has its entry in /proc.
function isRunning(pid: string): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('what cannot be started is said', async () => {
  await expect(runProgram({ ...shell, signal, program: '/nonexistent', args: [] })).rejects.toMatchObject({
    code: 'GIT_ERROR',
  });
  await expect(
    runProgram({ ...shell, signal, args: Array(100).fill('x'.repeat(100_000)) }),
  ).rejects.toMatchObject({
    code: 'GIT_ERROR',
    details: { errno: 'E2BIG' },
  });
});
