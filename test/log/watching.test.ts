// Following the log where no more files can be watched: other programs of the user have all of the kernel's watchers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EventBody } from '@codelab/protocol';
import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const opened: EventBody = { type: 'session.opened', workspace: '/w' };
const titledEvent = (title: string): EventBody => ({ type: 'session.titled', title });

// Takes every inotify instance a user may have, and gives them back when its input ends. Python itself may be closed to that user.
const takeAll = `
import ctypes, os, resource, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
libc = ctypes.CDLL(None, use_errno=True)
os.setuid(int(sys.argv[1]))
while libc.inotify_init() >= 0: pass
print('taken', flush=True)
sys.stdin.read()
`;

const follower = `
  import { openSqliteLog } from ${JSON.stringify(join(import.meta.dirname, '../../apps/server/src/log/sqlite/sqlite-log.ts'))};
  const log = openSqliteLog(process.argv[2]);
  const signal = new AbortController().signal;
  console.log('ready');
  for await (const { body } of log.subscribe('s', { since: 0, signal })) console.log(body.title ?? body.type);
`;

const isRoot = process.getuid?.() === 0;
const canRun = isRoot && process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0;
const skipNote = canRun
  ? ''
  : ' (skipped: only root can become a user whose watchers are used up, with setpriv and python3)';

describe.runIf(canRun)(`without a watcher left${skipNote}`, () => {
  test('entries of other processes are seen all the same, and watched for again when one is free', async () => {
    const user = 200_000 + Math.floor(Math.random() * 1_000_000);
    const asUser = ['--reuid', `${user}`, '--regid', `${user}`, '--clear-groups'];
    using scratch = scratchFolder({ owner: user });
    chmodSync(scratch.folder, 0o755);
    // The repository may be closed to that user.
    const script = join(scratch.folder, 'follower.mjs');
    const stdin = { contents: follower, resolveDir: import.meta.dirname };
    buildSync({
      stdin,
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      logLevel: 'error',
    });
    const node = join(scratch.folder, 'node');
    cpSync(process.execPath, node);
    const log = openSqliteLog(scratch.home);
    await log.append('s', [opened], { expected: 0 });
    for (const name of readdirSync(scratch.home)) chownSync(join(scratch.home, name), user, user);

    const taker = spawn('python3', ['-c', takeAll, `${user}`], { stdio: ['pipe', 'pipe', 'inherit'] });
    using _taker = killedAtEnd(taker);
    await once(taker.stdout, 'data');
    const child = spawn('setpriv', [...asUser, node, script, scratch.home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    using _child = killedAtEnd(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const line = async (): Promise<unknown> => (await lines.next()).value;
    expect([await line(), await line()]).toEqual(['ready', 'session.opened']);
    for (let n = 1; n <= 3; n++) {
      await log.append('s', [titledEvent(`title ${n}`)], { expected: n });
      expect(await line()).toBe(`title ${n}`);
    }
    expect(isWatching(child.pid)).toBe(false);
    taker.stdin.end();
    await once(taker, 'exit');
    await expect.poll(() => isWatching(child.pid), { timeout: 20_000, interval: 200 }).toBe(true);
    await log.append('s', [titledEvent('at last')], { expected: 4 });
    expect(await line()).toBe('at last');
    await log.close();
  });
});

function killedAtEnd(child: ChildProcess): Disposable {
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

function isWatching(pid: number | undefined): boolean {
  const folder = `/proc/${pid}/fdinfo`;
  return readdirSync(folder).some((fd) => readFileSync(join(folder, fd), 'utf8').includes('inotify wd'));
}
