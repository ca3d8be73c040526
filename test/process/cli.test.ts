import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { hostIds, markedProcesses } from '../support/process-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

type Codelab = ChildProcessByStdio<null, Readable, null>;

function codelab({ root, home }: { root: string; home: string }, command: string): Codelab {
  const args = [
    codelabProgram,
    'tool',
    'run_command',
    JSON.stringify({ command }),
    '--approve',
    'all',
    '--stream',
  ];
  const env = { ...process.env, CODELAB_HOME: home };
  return spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
}

test('--stream tells what a command prints, then how it ended', async () => {
  using scratch = scratchFolder();
  const child = codelab(scratch, 'echo one; sleep 0.4; echo two; exit 3');
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const [code] = await once(child, 'close');
  const [question, ...results] = lines;
  expect(question).toMatchObject({ type: 'tool_call', requires_approval: true });
  expect(new Set(results.map(({ call_id }) => call_id)).size).toBe(1);
  expect(results[0]).toMatchObject({ result: { stdout: 'one\n', exit_code: null } });
  expect(results.at(-1)).toMatchObject({ result: { stdout: 'one\ntwo\n', exit_code: 3 } });
  expect(code).toBe(0);
});

test('an interrupt ends the command with everything it started', async () => {
  using scratch = scratchFolder();
  const child = codelab(scratch, 'setsid sleep 600 & echo up; sleep 600');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  await lines.next();
  const marks = hostIds(scratch.home);
  expect(markedProcesses(marks).length).toBeGreaterThan(1);
  child.kill('SIGINT');
  const { value } = await lines.next();
  expect(JSON.parse(String(value))).toMatchObject({ error: { code: 'CANCELLED' } });
  expect((await once(child, 'close'))[0]).toBe(130);
  expect(markedProcesses(marks)).toEqual([]);
});

test('a process that is started by a single call ends with it, and the answer says so', () => {
  using scratch = scratchFolder();
  const callArgs = JSON.stringify({ command: 'sleep 600', process_id: 'p' });
  const args = [codelabProgram, 'tool', 'run_persistent', callArgs, '--approve', 'all'];
  const env = { ...process.env, CODELAB_HOME: scratch.home };
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: scratch.root, env, encoding: 'utf8' });
  const notes = [expect.stringMatching(/^The process ends with this command\./)];
  const { result } = JSON.parse(stdout);
  expect([status, result]).toEqual([
    0,
    { process_id: 'p', pid: expect.any(Number), status: 'exited', ready: true, notes },
  ]);
  expect(existsSync(`/proc/${result.pid}`)).toBe(false);
});
