// The report of `codelab doctor` about the sandbox, on machines that allow one and on machines that forbid it.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { backends, noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

function doctor(home: string, before: readonly string[] = [], extra: Record<string, string> = {}): string {
  const [program = '', ...args] = [...before, process.execPath, codelabProgram, 'doctor'];
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: home, CODELAB_HOME: home, ...extra };
  const { stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  const lines = `${stdout}${stderr}`.split('\n');
  const at = lines.findIndex((line) => /^\S+ sandbox /.test(line));
  return lines
    .slice(at, at + 12)
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

test.skipIf(noSandbox !== undefined)('it names the sandbox that works', () => {
  using scratch = scratchFolder();
  expect(doctor(scratch.home)).toContain(backends[0]);
});

test.skipIf(noSandbox !== undefined)('where user namespaces are forbidden it says so, and what to do', () => {
  using scratch = scratchFolder();
  // A user namespace in which no further one can be made, as on a machine where root has switched them off.
  const line = 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"';
  const before = ['unshare', '--user', '--map-root-user', 'sh', '-c', line, 'sh'];
  const output = doctor(scratch.home, before);
  expect(output).toContain('commands are not sandboxed: bubblewrap does not work on this machine');
  expect(output).toContain("util-linux can't build a sandbox here");
  expect(output).toContain('No command with an effect runs unasked');
  expect(output).toContain('sysctl -w user.max_user_namespaces=10000');
});

test.skipIf(!backends.includes('util-linux'))('without bubblewrap it names util-linux, and why', () => {
  using scratch = scratchFolder();
  const output = doctor(scratch.home, [], { CODELAB_WITHOUT: 'bubblewrap' });
  expect(output).toContain('sandbox util-linux, which confines as much');
  expect(output).toContain('CODELAB_WITHOUT switches bubblewrap off');
});

test('it names the variables that commands are given, and those that are asked for and not set', () => {
  using scratch = scratchFolder();
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ environment: ['MY_FLAG', 'NOT_SET'] }));
  const output = doctor(scratch.home, [], {
    MY_FLAG: '1',
    GOROOT: '/usr',
    NPM_TOKEN: 'x',
    HTTPS_PROXY: 'http://me:pw@proxy:1',
  });
  expect(output).toContain('commands get GOROOT, HTTPS_PROXY, MY_FLAG');
  expect(output).toContain('not set: NOT_SET');
  expect(output).not.toMatch(/NPM_TOKEN|me:pw/);
});
