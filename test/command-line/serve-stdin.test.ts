// `codelab serve --exit-with-stdin`: a gateway that ends with whoever started it, however that ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const scratch = scratchFolder();
afterAll(() => scratch[Symbol.dispose]());
const env = { ...process.env, CODELAB_HOME: scratch.home };
const words = [codelabProgram, 'serve', '--no-web', '--port', '0', '--log-level', 'silent'];

test('its standard input closes: it ends in order', async () => {
  const child = serve();
  await once(child.stdout, 'data');
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('its standard input is closed before it listens: it ends', async () => {
  const child = serve();
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('its standard input stays open: a signal ends it as ever', async () => {
  const child = serve();
  await once(child.stdout, 'data');
  child.stdin.write('what is written to it means nothing\n');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('whoever started it is killed: it ends by itself', async () => {
  const ready = join(scratch.folder, 'ready.json');
  const script = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([...words, '--exit-with-stdin', '--ready-file', ready])}, { stdio: ['pipe', 'ignore', 'ignore'] })`;
  const parent = spawn(process.execPath, ['-e', script], { cwd: scratch.root, env, stdio: 'ignore' });
  await expect.poll(() => existsSync(ready), { timeout: 20_000 }).toBe(true);
  const { pid } = JSON.parse(readFileSync(ready, 'utf8')) as { pid: number };
  expect(isRunning(pid)).toBe(true);
  await kill(parent);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('the token can’t come from the descriptor that is watched', async () => {
  const child = serve('--token-fd', '0');
  child.stdin.end('a-token-of-some-length');
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(stderr).toContain('--exit-with-stdin watches descriptor 0');
  expect(code).toBe(2);
});

function serve(...extraArgs: string[]) {
  return spawn(process.execPath, [...words, '--exit-with-stdin', ...extraArgs], { cwd: scratch.root, env });
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** One that has ended but was not waited for is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
