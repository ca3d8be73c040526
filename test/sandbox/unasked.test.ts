// The confinement of an unasked command, in each sandbox that works here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { protectedNames, secretNames } from '../../packages/runtime/src/policy/protected-names.ts';
import { protectedPlaces } from '../../packages/runtime/src/sandbox/mounts/protected-places.ts';
import { findHold } from '../../packages/runtime/src/sandbox/sandbox-hold.ts';
import { backends, plantFile, type SandboxBench, sandboxBench } from '../support/sandbox-bench.ts';

let bench: SandboxBench;
const createFiles = (name: string, text: string): string => plantFile(join(bench.root, name), text);
const read = (name: string): string => readFileSync(join(bench.root, name), 'utf8');
const git = (...args: string[]): void => {
  const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main'];
  expect(spawnSync('git', [...userSettings, ...args], { cwd: bench.root }).status).toBe(0);
};

describe.each(backends)('a command that nobody was asked about (%s)', (backend) => {
  beforeEach(() => {
    bench = sandboxBench(backend);
  });
  afterEach(() => bench[Symbol.dispose]());

  test('finds every protected name of the table as it was', async () => {
    const names = [...new Set([...protectedNames, ...secretNames])].filter((name) => name !== '.git');
    const paths = names.map((name, i) => {
      const path = name.replaceAll('**', 'deep/file').replaceAll('*', 'x');
      return name.includes('/') ? path : `d${i % 9}/${path}`;
    });
    // The whole table at once is more than is held one by one.
    for (let i = 0; i < paths.length; i += 60) {
      const batch = paths.slice(i, i + 60);
      rmSync(bench.root, { recursive: true });
      for (const path of batch) createFiles(path, 'original');
      createFiles('go.sh', 'for f in "$@"; do echo evil > "$f"; rm -f "$f"; mv "$f" gone; done');
      await bench.unasked(`sh go.sh ${batch.map((path) => `'${path}'`).join(' ')}`);
      expect(batch.filter((path) => read(path) !== 'original')).toEqual([]);
    }
  });

  test('reads no secret of the workspace, by whatever name', async () => {
    createFiles('.env', 'TOKEN');
    createFiles('api/.env.local', 'TOKEN');
    createFiles('certs/server.key', 'TOKEN');
    createFiles('.vscode/dev.env', 'TOKEN');
    createFiles('hidden/real', 'plain');
    symlinkSync('../elsewhere.txt', join(bench.root, 'hidden/credentials.json'));
    createFiles('elsewhere.txt', 'TOKEN');
    const line =
      'cat .env api/.env.local certs/* .vscode/* hidden/*; grep -r TOKEN .; cp -r . /tmp/x; grep -r TOKEN /tmp/x';
    for (const isReadOnly of [true, false]) {
      const { stdout } = await bench.unasked(line, { isReadOnly });
      expect(stdout).toContain('plain');
      expect(stdout).not.toContain('TOKEN');
    }
  });

  test('can’t put a folder with other files in the place of one that holds a protected name', async () => {
    createFiles('packages/a/package.json', '{}');
    await bench.unasked(
      'mv packages/a packages/b; mv packages p; mkdir -p packages/a; echo evil > packages/a/package.json',
    );
    expect(read('packages/a/package.json')).toBe('{}');
  });

  test('changes nothing at all when it is planned to read', async () => {
    await bench.unasked('echo x > made; rm a.txt; mkdir d', { isReadOnly: true });
    expect([existsSync(join(bench.root, 'made')), read('a.txt')]).toEqual([false, 'a\n']);
  });

  test('sees nothing of the disk but the system, the workspace and toolchains', async () => {
    using other = folderIn('/var/lib');
    const project = plantFile(join(bench.folder, 'other-project/notes.txt'), 'PRIVATE');
    const service = plantFile(join(other.path, 'data'), 'PRIVATE');
    plantFile(join(bench.user, 'Documents/letter.txt'), 'PRIVATE');
    plantFile(join(bench.user, '.cargo/registry/crate.txt'), 'crate');
    plantFile(join(bench.user, '.cargo/credentials.toml'), 'PRIVATE');
    const line = `cat '${project}' '/proc/1/root${project}' '${service}' ~/Documents/letter.txt ~/.cargo/credentials.toml; ls -d /srv /mnt /media /boot /var/lib ~/Documents; cat ~/.cargo/registry/crate.txt`;
    expect((await bench.unasked(line)).stdout).toBe('crate');
  });

  test('sees the folders that the user declares', async () => {
    const shared = plantFile(join(bench.folder, 'shared/data.txt'), 'data');
    plantFile(join(bench.user, 'models/m.txt'), 'model');
    const shows = [join(bench.folder, 'shared'), '~/models'];
    const line = `cat '${shared}' ~/models/m.txt; echo x > '${shared}'`;
    expect((await bench.unasked(line, { shows })).stdout).toBe('datamodel');
    expect(readFileSync(shared, 'utf8')).toBe('data');
  });

  test('can write in a home that ends with it', async () => {
    const { stdout } = await bench.unasked(
      'mkdir -p ~/.cache/x && echo y > ~/.cache/x/y && cat ~/.cache/x/y',
    );
    expect(stdout).toBe('y\n');
    expect(existsSync(join(bench.user, '.cache'))).toBe(false);
  });

  test('with the user’s home as workspace: what shells and logins read stays as it was', async () => {
    const names = ['.bashrc', '.profile', '.zshrc', '.config/autostart/x.desktop', '.local/bin/tool'];
    for (const name of names) plantFile(join(bench.user, name), 'original');
    plantFile(join(bench.user, '.ssh/authorized_keys'), 'original');
    const line = `for f in ${names.join(' ')} .ssh/authorized_keys; do cat $f; echo evil >> $f; done; rm -rf .ssh .bashrc; mkdir .ssh; echo evil > .ssh/authorized_keys`;
    const { stdout } = await bench.unasked(line, { root: bench.user });
    expect(stdout).not.toContain('originaloriginaloriginaloriginaloriginaloriginal');
    for (const name of [...names, '.ssh/authorized_keys'])
      expect([name, readFileSync(join(bench.user, name), 'utf8')]).toEqual([name, 'original']);
  });

  test('has no network, whatever its confinement says', async () => {
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { stdout } = await bench.unasked(`bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected'`);
    server.close();
    expect(stdout).toBe('');
  });

  describe('in a repository', () => {
    beforeEach(() => {
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'one');
    });

    test('reads with git as ever', async () => {
      createFiles('a.txt', 'b\n');
      const line =
        'git status --porcelain; git log --oneline | wc -l; git diff --stat | tail -1; git branch --show-current';
      const { stdout, stderr } = await bench.unasked(line, { isReadOnly: true, writesGit: true });
      expect({ stdout, stderr }).toEqual({
        stdout: ' M a.txt\n1\n 1 file changed, 1 insertion(+), 1 deletion(-)\nmain\n',
        stderr: '',
      });
    });

    test('commits when its own words start git', async () => {
      createFiles('b.txt', 'b\n');
      const line =
        'git add -A && git -c user.name=t -c user.email=t@t commit -qm two && git log --oneline | wc -l';
      expect(await bench.unasked(line, { writesGit: true })).toMatchObject({ status: 0, stdout: '2\n' });
    });

    test.each([
      [
        'another common directory',
        'mkdir -p x; cp -r .git/. x/; echo ../x > .git/commondir',
        '.git/commondir',
      ],
      ['a hook', 'echo x > .git/hooks/post-checkout', '.git/hooks/post-checkout'],
      [
        'a rebase to go on with',
        'mkdir .git/rebase-merge; echo "exec id" > .git/rebase-merge/git-rebase-todo',
        '.git/rebase-merge',
      ],
      ['attributes', 'mkdir -p .git/info; echo "* filter=x" > .git/info/attributes', '.git/info/attributes'],
      ['other objects', 'echo /x > .git/objects/info/alternates', '.git/objects/info/alternates'],
      ['another repository', 'mv .git old; rm -rf .git', 'old'],
    ])('can’t plant %s', async (_what, line, planted) => {
      await bench.unasked(line);
      expect(existsSync(join(bench.root, planted))).toBe(false);
      expect(spawnSync('git', ['fsck'], { cwd: bench.root }).status).toBe(0);
    });

    test('can’t change a repository inside it', async () => {
      mkdirSync(join(bench.root, 'vendor/lib'), { recursive: true });
      git('init', '-q', 'vendor/lib');
      const config = read('vendor/lib/.git/config');
      await bench.unasked(
        'git -C vendor/lib config core.fsmonitor ./x; mv vendor/lib/.git x; mv vendor/lib x',
        {
          writesGit: true,
        },
      );
      expect(read('vendor/lib/.git/config')).toBe(config);
    });

    test('works in a further worktree, and in a folder of a repository', async () => {
      git('worktree', 'add', '-q', '../tree');
      const root = join(bench.folder, 'tree');
      expect(
        (await bench.unasked('git status --porcelain && echo ok', { root, isReadOnly: true })).stdout,
      ).toBe('ok\n');
      createFiles('sub/b.txt', 'b\n');
      createFiles('.env', 'TOKEN');
      const sub = join(bench.root, 'sub');
      const { stdout } = await bench.unasked('git status --porcelain; cat ../.env; echo x > ../a.txt', {
        root: sub,
      });
      expect(stdout).toBe('?? .env\n?? sub/\n');
      expect(read('a.txt')).toBe('a\n');
    });
  });
});

test('what can’t be held one by one is said, and folders with many are held as one', async () => {
  using scratch = sandboxBench();
  for (let i = 0; i < 40; i++) plantFile(join(scratch.root, `certs/c${i}.pem`), 'x');
  for (let i = 0; i < 40; i++) plantFile(join(scratch.root, `units/u${i}.service`), 'x');
  expect(await protectedPlaces(scratch.root)).toEqual({
    kept: [join(scratch.root, 'units')],
    hidden: [join(scratch.root, 'certs')],
    gits: [],
    parents: [],
  });
  for (let i = 0; i < 200; i++) plantFile(join(scratch.root, `packages/p${i}/package.json`), '{}');
  expect(await protectedPlaces(scratch.root)).toEqual({
    tooMany: 'more than 250 files and folders would have to be held',
  });
});

test('what went away since it was found leaves nothing behind', async () => {
  for (const backend of backends) {
    using scratch = sandboxBench(backend);
    const paths = ['.env', 'package.json'].map((name) => plantFile(join(scratch.root, name), 'x'));
    const hold = await findHold(scratch.root);
    if ('tooMany' in hold) throw new Error(hold.tooMany);
    for (const path of paths) rmSync(path);
    expect(await scratch.unasked('echo ok; ls -A', hold)).toMatchObject({
      stdout: 'ok\na.txt\n',
      stderr: '',
    });
    expect(paths.map((path) => existsSync(path))).toEqual([false, false]);
  }
});

test('a name that appears is seen, and folders that tools fill are not looked into', async () => {
  using scratch = sandboxBench();
  plantFile(join(scratch.root, 'node_modules/x/package.json'), '{}');
  expect(await protectedPlaces(scratch.root)).toMatchObject({ kept: [], hidden: [] });
  const path = plantFile(join(scratch.root, 'src/.ENV'), 'x');
  expect(await protectedPlaces(scratch.root)).toMatchObject({
    hidden: [path],
    parents: [join(scratch.root, 'src')],
  });
});

function folderIn(parent: string): Disposable & { path: string } {
  const path = mkdtempSync(join(parent, 'codelab-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
