// Review mode lets commands run whose effect only running would tell. Here they do their worst: nothing outside the workspace, of the
// history, of the network or of what is executed later is reached, and nobody is asked.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { dataOf } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const canary = '/tmp/codelab-review-canary';

describe.each(backends)('held by %s', (backend) => {
  const reached = { connections: 0, asked: 0 };
  const listener = createServer((socket) => {
    reached.connections++;
    socket.end();
  });
  const realHome = process.env.HOME;
  let bench: Workbench;
  let outside: string;
  let port: number;

  const git = (...args: string[]): string => {
    const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    return spawnSync('git', [...userSettings, ...args], { cwd: bench.root, encoding: 'utf8' }).stdout;
  };
  const history = (): string => git('log', '--all', '--reflog', '--format=%H');

  beforeAll(async () => {
    forceSandbox(backend);
    const files = {
      'a.txt': 'a\n',
      'package.json': '{}\n',
      '.env': 'TOKEN=secret\n',
      '.gitignore': '.env\n',
    };
    bench = await workbench({ files, mode: 'review' });
    outside = join(bench.folder, 'outside');
    mkdirSync(join(outside, '.ssh'), { recursive: true });
    writeFileSync(join(outside, '.ssh', 'id_rsa'), 'PRIVATE\n');
    process.env.HOME = outside;
    git('init', '-q');
    git('add', '--all');
    git('commit', '-qm', 'one');
    git('commit', '-q', '--amend', '-m', 'two');
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    bench.human(() => {
      reached.asked++;
      return { kind: 'reject' };
    });
  });
  afterAll(async () => {
    process.env.HOME = realHome;
    forceSandbox(undefined);
    listener.close();
    rmSync(canary, { force: true });
    await bench[Symbol.asyncDispose]();
  });

  const python = (code: string): string => `python3 -c '${code}'`;
  const attempts: Record<string, () => string> = {
    'writes beside the workspace': () => python(`open("${outside}/x", "w").write("x")`),
    'writes beside it by a variable': () =>
      `x=${outside.replace(/outside$/, '')}; y=outside; echo x > "$x$y/x"`,
    'writes to the machine’s /tmp': () => `echo x > ${canary}`,
    'reads a key of the home': () => python(`print(open("${outside}/.ssh/id_rsa").read())`),
    'reads a secret of the workspace': () => python('print(open(".env").read())'),
    'connects to a server': () =>
      python(`import socket; socket.create_connection(("127.0.0.1", ${port}), 2)`),
    'removes the repository': () => python('import shutil; shutil.rmtree(".git")'),
    'removes the repository beside a git that only reads': () =>
      `git status --short; ${python('import shutil; shutil.rmtree(".git")')}`,
    'expires the history by another name of git': () =>
      `git log -1; ${python('import os; os.system("git reflog expire --expire=now --all; git gc --prune=now")')}`,
    'plants a hook': () => python('open(".git/hooks/post-commit", "w").write("#!/bin/sh\\nid")'),
    'changes what is executed later': () => python('open("package.json", "w").write("{\\"scripts\\": {}}")'),
    'ends other processes': () => `kill -9 ${process.pid}; kill -9 -1`,
    'runs a planted program': () =>
      `printf '#!/bin/sh\\necho x > ${outside}/x\\n' > ls; chmod +x ls; PATH=.:$PATH ls`,
    'feeds an interpreter': () => `python3 <<'EOF'\nopen("${outside}/x", "w").write("x")\nEOF`,
  };

  test('whatever they try, nothing is reached and nobody is asked', async () => {
    const before = history();
    for (const [label, line] of Object.entries(attempts)) {
      const { stdout } = dataOf(await bench.call('run_command', { command: line() })) as { stdout: string };
      expect([label, stdout]).toEqual([label, expect.not.stringMatching(/PRIVATE|TOKEN/)]);
      expect([label, existsSync(join(outside, 'x')), existsSync(canary)]).toEqual([label, false, false]);
      expect([label, readFileSync(join(bench.root, 'package.json'), 'utf8')]).toEqual([label, '{}\n']);
      expect([label, existsSync(join(bench.root, '.git/hooks/post-commit'))]).toEqual([label, false]);
      expect([label, reached]).toEqual([label, { connections: 0, asked: 0 }]);
    }
    expect(history()).toBe(before);
  });

  test.each([
    'git gc --prune=now',
    'git branch -D main',
    'curl http://127.0.0.1',
    'rm -rf "$DIR"',
    'python3 setup.py && git commit -am x',
    'cat ~/.ssh/id_rsa',
    'echo x > package.json',
  ])('a human is asked about %j', async (command) => {
    reached.asked = 0;
    expect(await bench.call('run_command', { command })).toMatchObject({ status: 'rejected' });
    expect(reached.asked).toBe(1);
  });

  test('a file that is deleted is there again after undo; nobody is asked', async () => {
    reached.asked = 0;
    expect(await bench.call('delete_file', { path: 'a.txt' })).toMatchObject({ status: 'completed' });
    expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
    expect(await bench.call('undo', {})).toMatchObject({ status: 'completed' });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('a\n');
    expect(reached.asked).toBe(0);
  });
});
