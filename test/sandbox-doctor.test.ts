// What `codelab doctor` says about the sandbox, on machines that allow one and on machines that forbid it.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { codelabProgram } from './support/codelab-program.ts';
import { backends, noSandbox } from './support/sandbox-bench.ts';
import { scratchFolder } from './support/scratch-folder.ts';

function doctor(home: string, ...before: string[]): string {
  const [program = '', ...args] = [...before, process.execPath, codelabProgram, 'doctor'];
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: home, CODELAB_HOME: home };
  const { stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  const lines = `${stdout}${stderr}`.split('\n');
  const at = lines.findIndex((line) => line.includes('sandbox'));
  return lines
    .slice(at, at + 6)
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
  const said = doctor(scratch.home, 'unshare', '--user', '--map-root-user', 'sh', '-c', line, 'sh');
  expect(said).toContain('commands are not held: bubblewrap does not work on this machine');
  expect(said).toContain("util-linux can't build a sandbox here");
  expect(said).toContain('Nothing that has an effect runs unasked');
  expect(said).toContain('sysctl -w user.max_user_namespaces=10000');
});
