import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confine, confinementOf } from '../../packages/runtime/src/sandbox/confine.ts';
import { backends, plantFile, type SandboxBench, sandboxBench } from '../support/sandbox-bench.ts';

describe.each(backends)('a command in the sandbox (%s)', (backend) => {
  let bench: SandboxBench;
  beforeEach(() => {
    bench = sandboxBench(backend);
  });
  afterEach(() => bench[Symbol.dispose]());

  test('writes in the workspace', () => {
    const ran = bench.sh('echo b > b.txt && mkdir d && mv a.txt d/ && cat d/a.txt');
    expect(ran).toMatchObject({ status: 0, stdout: 'a\n' });
    expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('b\n');
  });

  test.each([
    ['beside the workspace', () => join(bench.folder, 'x')],
    ['in the user’s home', () => join(bench.user, 'x')],
  ])('cannot write %s', (_what, place) => {
    const path = place();
    bench.sh(`echo x > '${path}'; mount -o remount,bind,rw '${dirname(path)}'; echo x > '${path}'`);
    expect(existsSync(path)).toBe(false);
  });

  // The command only checks whether it could write: a failing test must not harm the machine.
  test.each(['/', '/usr/bin', '/usr/bin/bwrap', '/etc', '/etc/passwd', '/var/lib', '/opt', process.execPath])(
    'may not write %s',
    (path) => {
      expect(bench.sh(`test -w '${path}' && echo writable`).stdout).toBe('');
    },
  );

  test.each([
    '.ssh/id_test',
    '.aws/credentials',
    '.config/gcloud/credentials.db',
    '.config/gh/hosts.yml',
    '.config/a-new-tool/token',
    '.config/git/credentials',
    '.kube/config',
    '.docker/config.json',
    '.gnupg/secring.gpg',
    '.netrc',
    '.git-credentials',
    '.npmrc',
    '.pypirc',
    '.bash_history',
    '.mozilla/firefox/profile/logins.json',
  ])('cannot read a planted ~/%s', (name) => {
    const path = plantFile(join(bench.user, name), 'top-secret');
    expect(bench.sh(`cat '${path}'; cat ~/'${name}'; ls -laR ~`).stdout).not.toContain('top-secret');
    // The folder it is in can't be looked behind either.
    const ran = bench.sh(`umount '${dirname(path)}' '${path}'; unshare -rm umount '${path}'; cat '${path}'`);
    expect(ran.stdout).not.toContain('top-secret');
  });

  test('reads what is no secret in the user’s home', () => {
    plantFile(join(bench.user, '.gitconfig'), '[user]\n\tname = Someone\n');
    plantFile(join(bench.user, '.config/git/ignore'), '*.swp\n');
    expect(bench.sh('git config user.name; cat ~/.config/git/ignore').stdout).toBe('Someone\n*.swp\n');
  });

  test('cannot read a secret that is kept elsewhere and linked', () => {
    plantFile(join(bench.folder, 'elsewhere/id_test'), 'top-secret');
    symlinkSync(join(bench.folder, 'elsewhere'), join(bench.user, '.ssh'));
    const ran = bench.sh(`cat ~/.ssh/id_test '${bench.folder}/elsewhere/id_test'`);
    expect(ran.stdout).toBe('');
  });

  test('sees nothing of CodeLab’s own state, and cannot change it', () => {
    plantFile(join(bench.home, 'rules.json'), 'our-rules');
    const ran = bench.sh(
      `cat '${bench.home}/rules.json'; ls -A '${bench.home}'; echo '{}' > '${bench.home}/rules.json'`,
    );
    expect(ran.stdout).toBe('');
    expect(readFileSync(join(bench.home, 'rules.json'), 'utf8')).toBe('our-rules');
  });

  test('opens no socket to the machine unless the network was granted', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('hello')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // The shell's own sockets: this Node may lie in a folder that the sandbox hides.
    const client = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected || echo refused`;
    const run = async (network: boolean): Promise<string> => {
      const confinement = confinementOf(network);
      const { root, home } = bench;
      const [program = '', ...args] = confine(['/bin/bash', '-c', client], {
        confinement,
        root,
        home,
        cwd: root,
      });
      return await outputOf(spawn(program, args, { env: {} }));
    };
    try {
      expect(await run(false)).toBe('refused\n');
      expect(await run(true)).toBe('connected\n');
    } finally {
      server.close();
    }
  });

  test('without the network it has a loopback of its own and no other interface', () => {
    expect(
      bench.sh('ls /sys/class/net >/dev/null; tail -n +3 /proc/net/dev | cut -d: -f1').stdout.trim(),
    ).toBe('lo');
  });

  test('sees no process but its own, and can signal none', async () => {
    const bystander = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
    try {
      const ran = bench.sh(`kill -9 ${bystander.pid}`);
      expect(Number(bench.sh('ls -d /proc/[0-9]* | wc -l').stdout)).toBeLessThan(8);
      expect(ran.stderr).toContain('No such process');
      expect(bystander.exitCode).toBeNull();
      expect(bench.sh(`cat /proc/${process.pid}/environ /proc/${process.ppid}/environ`).stdout).toBe('');
    } finally {
      bystander.kill('SIGKILL');
      await once(bystander, 'exit');
    }
  });

  test('has no capability, can gain none, and makes no namespaces', () => {
    const status = bench.sh('cat /proc/self/status').stdout;
    expect(status).toMatch(/CapEff:\t0+\n/);
    expect(status).toMatch(/CapBnd:\t0+\n/);
    expect(status).toMatch(/NoNewPrivs:\t1\n/);
    expect(bench.sh('unshare -r true').status).not.toBe(0);
  });

  // The command only checks whether it could write: a change there would affect the whole machine.
  test('cannot turn the kernel’s own switches', () => {
    const all =
      "find /proc /sys -path '/proc/[0-9]*' -prune -o -path /proc/self -prune -o -type f -writable -print";
    expect(bench.sh(`${all} 2>/dev/null`).stdout).toBe('');
    expect(bench.sh('test -w /proc/sys/kernel/core_pattern').status).toBe(1);
  });

  test('leaves no process behind when it is ended', async () => {
    const { root, home } = bench;
    const marker = `codelab-${process.pid}-${Date.now()}`;
    const line = `setsid sh -c 'echo started; exec tail -f /dev/null ${marker}' & wait`;
    const [program = '', ...args] = confine(['/bin/sh', '-c', line], {
      confinement: confinementOf(false),
      root,
      home,
      cwd: root,
    });
    const child = spawn(program, args, {
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    // The output ends when the last process has ended.
    await once(child, 'close');
    expect(processesWith(marker)).toEqual([]);
  });

  test('has a /tmp that only this session’s commands in this workspace share', () => {
    using otherFolder = foldersBelow('/var/tmp');
    const [firstRoot = '', other = ''] = otherFolder.folders;
    const ownPath = `/tmp/mine-${process.pid}`;
    const inTmp = plantFile(join('/tmp', `codelab-sandbox-${process.pid}`), 'of the machine');
    try {
      expect(bench.sh(`cat ${inTmp}; echo kept > ${ownPath}; echo $TMPDIR`, { root: firstRoot }).stdout).toBe(
        '/tmp/.asked\n',
      );
      expect(bench.sh(`cat ${ownPath}`, { root: firstRoot }).stdout).toBe('kept\n');
      expect(bench.sh(`cat ${ownPath}`, { root: other }).stdout).toBe('');
      expect(bench.sh(`cat ${ownPath}`).stdout).toBe('');
      expect(bench.sh(`cat ${ownPath}`, { root: firstRoot, session: 's2' }).stdout).toBe('');
      expect(existsSync(ownPath)).toBe(false);
      expect(bench.sh('touch /var/tmp/x /dev/shm/x && echo yes').stdout).toBe('yes\n');
      expect(existsSync('/var/tmp/x')).toBe(false);
    } finally {
      rmSync(inTmp);
    }
  });

  test('does not see the sockets of the machine’s services', () => {
    expect(bench.sh('find /run -type s; ls -A /run | grep -v systemd').stdout).toBe('');
  });
});

function foldersBelow(parent: string): Disposable & { folders: string[] } {
  const folders = ['a', 'b'].map((name) => mkdtempSync(join(parent, `codelab-test-${name}`)));
  return {
    folders,
    [Symbol.dispose]() {
      for (const folder of folders) rmSync(folder, { recursive: true });
    },
  };
}

async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk));
  await once(child, 'close');
  return text;
}

function processesWith(marker: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
      } catch {
        return false;
      }
    });
}
