// Attacks by commands that run in trusted mode without anybody being asked, in each sandbox that works here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome, Rule } from '@codelab/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { codeOf } from '../support/code-of.ts';
import { dataOf } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const files = {
  'a.txt': 'a\n',
  '.envrc': 'original',
  '.env': 'TOKEN=secret',
  'package.json': '{}',
  '.vscode/tasks.json': '{}',
  '.github/workflows/ci.yml': 'on: push',
  '.husky/pre-commit': 'true',
  '.bashrc': 'original',
  'keys/authorized_keys': 'original',
  Makefile: 'all:',
  'sub/package.json': '{}',
};

let bench: Workbench;
let askCount = 0;

const git = (...args: string[]): string => {
  const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  const { status, stdout, stderr } = spawnSync('git', [...userSettings, ...args], {
    cwd: bench.root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, expect.anything()]);
  return stdout;
};

async function open(): Promise<void> {
  bench = await workbench({ files, mode: 'trusted' });
  askCount = 0;
  bench.human(() => {
    askCount++;
    return { kind: 'reject' };
  });
}

const run = (command: string): Promise<Outcome> => bench.call('run_command', { command });
const script = (text: string): Promise<Outcome> => {
  writeFileSync(join(bench.root, 'go.sh'), text);
  return run('sh go.sh');
};
const read = (path: string): string => readFileSync(join(bench.root, path), 'utf8');

describe.each(backends)('in trusted mode (%s)', (backend) => {
  beforeEach(async () => {
    forceSandbox(backend);
    await open();
    git('init', '-q');
    git('config', 'user.name', 't');
    git('config', 'user.email', 't@t');
    git('add', 'a.txt');
    git('commit', '-qm', 'one');
  });
  afterEach(async () => {
    forceSandbox(undefined);
    await bench[Symbol.asyncDispose]();
  });

  test.each([
    ['sort -o .envrc a.txt', '.envrc'],
    ['git log --output=.envrc', '.envrc'],
    ['git diff --output=package.json HEAD', 'package.json'],
  ])('%j changes nothing', async (command, path) => {
    const before = read(path);
    await run(command);
    expect(read(path)).toBe(before);
  });

  test('a script rewrites no task, workflow, hook, setting or login', async () => {
    const paths = Object.keys(files).filter((path) => path !== 'a.txt');
    const outcome = await script(
      `for f in ${paths.join(' ')}; do echo evil > $f; sed -i s/x/y/ $f; mv $f gone; rm -f $f; done; echo done > a.txt`,
    );
    expect([codeOf(outcome), askCount]).toEqual(['completed', 0]);
    for (const [path, text] of Object.entries(files))
      expect([path, read(path)]).toEqual([path, path === 'a.txt' ? 'done\n' : text]);
  });

  test('a script reads no secret, no other project and no data of services', async () => {
    mkdirSync(join(bench.folder, 'other'));
    writeFileSync(join(bench.folder, 'other/notes.txt'), 'PRIVATE');
    const outcome = await script(
      'cat .env .en? ../other/notes.txt; ls -A /srv /mnt /media /var/lib; ls -A ..',
    );
    expect(dataOf(outcome)).toMatchObject({ stdout: 'work\n' });
    const reading = await run('grep -r TOKEN .');
    expect(dataOf(reading)).toMatchObject({ stdout: '', exit_code: 1 });
  });

  test('the user’s next git status executes nothing', async () => {
    const mark = join(bench.folder, 'executed');
    await script(
      `printf '#!/bin/sh\\ntouch ${mark}\\n' > x.sh; chmod +x x.sh
       git config core.fsmonitor "$PWD/x.sh"; echo "[core] fsmonitor = $PWD/x.sh" >> .git/config
       mkdir evil; cp -r .git/. evil/; echo "[core] fsmonitor = $PWD/x.sh" >> evil/config; echo ../evil > .git/commondir
       mv .git old; rm -rf .git; printf 'gitdir: evil' > .git`,
    );
    git('status');
    expect([existsSync(mark), askCount]).toEqual([false, 0]);
  });

  test('git works unasked: reading, and committing by its own words', async () => {
    writeFileSync(join(bench.root, 'a.txt'), 'b\n');
    expect(dataOf(await run('git status --porcelain a.txt'))).toMatchObject({
      stdout: ' M a.txt\n',
      exit_code: 0,
    });
    const commit = await run('git add a.txt && git commit -qm two');
    expect([dataOf(commit).exit_code, git('log', '--oneline').split('\n').length, askCount]).toEqual([
      0, 3, 0,
    ]);
  });

  test('git that would replace files is asked about, so that it never stops in the middle', async () => {
    git('add', '-f', '.');
    git('commit', '-qm', 'two');
    for (const command of ['git checkout HEAD~1', 'git stash', 'git reset --hard HEAD~1', 'git -C . merge x'])
      expect([command, codeOf(await run(command))]).toEqual([command, 'REJECTED']);
    expect(askCount).toBe(4);
    expect(dataOf(await run('git checkout -b new')).exit_code).toBe(0);
    // Files that are named one by one, and are none of those that are held.
    writeFileSync(join(bench.root, 'a.txt'), 'other\n');
    for (const command of ['git checkout a.txt', 'git checkout -- a.txt', 'git restore a.txt'])
      expect([command, dataOf(await run(command)).exit_code]).toEqual([command, 0]);
    expect([git('status', '--porcelain', 'a.txt'), askCount]).toEqual(['', 4]);
    for (const command of ['git checkout -- .', 'git restore package.json', 'git checkout HEAD~1 a.txt'])
      expect([command, codeOf(await run(command))]).toEqual([command, 'REJECTED']);
  });

  test('git takes no masked secret for changed, and commits none', async () => {
    writeFileSync(join(bench.root, '.npmrc'), 'registry=x');
    git('add', '-f', '.npmrc', '.env');
    git('commit', '-qm', 'two');
    writeFileSync(join(bench.root, '.env'), 'TOKEN=other');
    writeFileSync(join(bench.root, 'server.key'), 'TOKEN');
    const status = String(dataOf(await run('git status --porcelain')).stdout).split('\n');
    expect(status.filter((line) => line.startsWith(' '))).toEqual([' M .env']);
    await run('git add -A && git commit -qm three');
    await run('git commit -qam three');
    expect(git('show', 'HEAD:.env')).toBe('TOKEN=secret');
    expect(git('show', 'HEAD:.npmrc')).toBe('registry=x');
    expect(git('ls-files', 'server.key')).toBe('');
    expect([read('.env'), askCount]).toEqual(['TOKEN=other', 0]);
  });

  test('what a person approves, or allows by a rule, changes what it is to change', async () => {
    bench.human(approveAll, 's2');
    const command = 'echo approved > package.json; cat .env';
    const approved = await bench.call('run_command', { command }, { session: 's2', requiresApproval: true });
    expect([dataOf(approved).stdout, read('package.json')]).toEqual(['TOKEN=secret', 'approved\n']);
    const rule: Rule = {
      id: 'go',
      effect: 'allow',
      reason: 'Wanted.',
      tool: 'run_command',
      command: 'sh go.sh',
    };
    await bench.host.rules.remember('workspace', rule);
    await script('echo by rule > package.json');
    expect([read('package.json'), askCount]).toEqual(['by rule\n', 0]);
    // A rule for one part says nothing about the others.
    await run('sh go.sh; echo by mode > package.json');
    expect(read('package.json')).toBe('by rule\n');
  });

  test('a dev server that a person approved with the network can be looked at', async () => {
    bench.human(approveAll, 's2');
    const server = `require('http').createServer((q,r)=>r.end('page')).listen(0,'127.0.0.1',function(){console.log('port '+this.address().port)})`;
    writeFileSync(join(bench.root, 'server.cjs'), server);
    const args = { command: 'node server.cjs', process_id: 'web', network: true, ready_pattern: 'port \\d+' };
    expect(dataOf(await bench.call('run_persistent', args, { session: 's2' }))).toMatchObject({
      ready: true,
    });
    const output = dataOf(await bench.call('read_process', { process_id: 'web' }, { session: 's2' }));
    const [, port] = /port (\d+)/.exec(JSON.stringify(output)) ?? [];
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect(await page.text()).toBe('page');
  });

  test('where there is more to hold than can be held, a person is asked', async () => {
    for (let i = 0; i < 150; i++) {
      mkdirSync(join(bench.root, `p${i}`));
      writeFileSync(join(bench.root, `p${i}/package.json`), '{}');
    }
    expect([codeOf(await run('touch made')), askCount]).toEqual(['REJECTED', 1]);
  });
});

test('without a sandbox nothing that has an effect runs unasked, in any mode', async () => {
  forceSandbox('none');
  try {
    for (const mode of ['strict', 'balanced', 'trusted'] as const) {
      const ownBench = await workbench({ files, mode });
      let questions = 0;
      ownBench.human(() => {
        questions++;
        return { kind: 'reject' };
      });
      const lines = [
        'sort -o .envrc a.txt',
        'git log --output=.envrc',
        'touch x',
        'sh go.sh',
        'npm test',
        'echo x > y',
        'git commit -m x',
      ];
      for (const command of lines)
        expect(codeOf(await ownBench.call('run_command', { command })), command).toBe('REJECTED');
      expect(questions).toBe(lines.length);
      await ownBench[Symbol.asyncDispose]();
    }
  } finally {
    forceSandbox(undefined);
  }
});

test.each(['review', 'trusted'] as const)(
  'in %s mode a process is not started unasked, because undo would not know its changes',
  async (mode) => {
    await using ownBench = await workbench({ files: { 'a.txt': 'precious\n' }, mode });
    const asked: string[] = [];
    ownBench.human(({ verdict }) => {
      asked.push(verdict.reason);
      return { kind: 'reject' };
    });
    const start = (command: string) =>
      ownBench.call('run_persistent', { command, process_id: `p${asked.length}`, ready_pattern: '.' });
    expect(codeOf(await start('rm a.txt; echo done; sleep 9'))).toBe('REJECTED');
    expect(readFileSync(join(ownBench.root, 'a.txt'), 'utf8')).toBe('precious\n');
    expect((await start('cat a.txt')).status).toBe('completed');
    expect(asked).toEqual([expect.stringContaining("Undo can't bring back")]);
  },
);
