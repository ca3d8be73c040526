// The program that records what a command writes, run by itself: it must be as if it were not there, and miss nothing.
import { execFileSync, type SpawnSyncOptionsWithStringEncoding, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { findTracer } from '../../packages/runtime/src/sandbox/backends/trace-writes.ts';
import { readTrace } from '../../packages/runtime/src/snapshot/write-trace.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const tracer = findTracer();
const program = 'path' in tracer ? tracer.path : '';

type Traced = {
  status: number | null;
  signal: string | null;
  stdout: string;
  touched: string[];
  removed: string[];
  report: string;
};
type Place = ReturnType<typeof place>;

function place() {
  const scratch = scratchFolder({ files: { a: 'a', 'd/b': 'b' } });
  const report = join(scratch.folder, 'report');
  const argv = (...command: string[]): string[] => [report, scratch.root, '--', ...command];
  return {
    ...scratch,
    report,
    argv,
    run(command: string[], options: Partial<SpawnSyncOptionsWithStringEncoding> = {}): Traced {
      const ran = spawnSync(program, argv(...command), { cwd: scratch.root, encoding: 'utf8', ...options });
      const trace = readTrace(report);
      return {
        ...{
          status: ran.status,
          signal: ran.signal,
          stdout: ran.stdout,
          report: readFileSync(report, 'utf8'),
        },
        ...{ touched: [...(trace?.touched ?? [])].sort(), removed: [...(trace?.removed ?? [])].sort() },
      };
    },
    sh(line: string, options: Partial<SpawnSyncOptionsWithStringEncoding> = {}): Traced {
      return this.run(['/bin/sh', '-c', line], options);
    },
  };
}

/** The processes that have this in their environment, as all have that a test starts. */
function running(mark: string): string[] {
  const found = spawnSync('/bin/sh', [
    '-c',
    `grep -lz '^TRACE_TEST=${mark}$' /proc/[0-9]*/environ 2>/dev/null`,
  ]);
  return `${found.stdout}`
    .trim()
    .split('\n')
    .filter((line) => line !== '');
}

describe.skipIf('why' in tracer)('trace-writes', { timeout: 60_000 }, () => {
  test.each([0, 1, 7, 126, 255])('the exit code %i is the program’s', (code) => {
    using it = place();
    expect(it.sh(`exit ${code}`)).toMatchObject({ status: code, signal: null });
  });

  test.each(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGSEGV', 'SIGHUP', 'SIGUSR1'])(
    'death by %s is the program’s',
    (signal) => {
      using it = place();
      expect(it.sh(`kill -${signal.slice(3)} $$; sleep 9`)).toMatchObject({ status: null, signal });
    },
  );

  test('input, output, variables, the working directory and signal actions are those of the program', () => {
    using it = place();
    const ran = it.sh('cat; pwd; echo "$ONE"; ls /proc/self/fd | wc -l; trap', {
      input: 'typed\n',
      env: { ONE: '1' },
    });
    const bare = spawnSync('/bin/sh', ['-c', 'cat; pwd; echo "$ONE"; ls /proc/self/fd | wc -l; trap'], {
      ...{ cwd: it.root, encoding: 'utf8', input: 'typed\n', env: { ONE: '1' } },
    });
    expect(ran.stdout).toBe(bare.stdout);
  });

  test('what is only read is not recorded, and what is written elsewhere is not, either', () => {
    using it = place();
    const ran = it.sh(`cat a d/b > /dev/null; ls -R . > ../listing; echo > ${it.folder}/x; test -e nothing`);
    expect([ran.touched, ran.removed]).toEqual([[], []]);
  });

  test('files that are written, made, removed, renamed, linked, and whose permissions change', () => {
    using it = place();
    const ran = it.sh(
      'echo x >> a; mkdir -p n/m; echo 1 > n/m/f; mv n/m n/o; ln -s a l; ln a h; chmod 600 d/b; rm h; truncate -s 9 t; mkfifo p; rmdir nothing',
    );
    expect(ran.touched).toEqual(['a', 'd/b', 'h', 'l', 'n', 'n/m', 'n/m/f', 'n/o', 'p', 't']);
    expect(ran.removed).toEqual(['h', 'n/m', 'nothing']);
  });

  test('names with spaces, line feeds, other scripts, and as long as they can be', () => {
    using it = place();
    const names = [' a b ', 'line\nfeed', 'ключ 键 🔑', 'x'.repeat(255), '-r', '*'];
    const lines = names.map((_, i) => `printf y > "./$NAME${i}"`).join('; ');
    const env = Object.fromEntries(names.map((name, i) => [`NAME${i}`, name]));
    expect(it.sh(lines, { env }).touched).toEqual(names.toSorted());
  });

  test('paths of thousands of characters', () => {
    using it = place();
    const deep = Array.from({ length: 15 }, () => 'y'.repeat(200)).join('/');
    mkdirSync(join(it.root, deep), { recursive: true });
    expect(it.sh(`echo > ${deep}/f; cd ${deep}; echo > g`).touched).toEqual([`${deep}/f`, `${deep}/g`]);
  });

  test('links are followed as the program does, also out and in again, dangling, and gone by the end', () => {
    using it = place();
    symlinkSync('d', join(it.root, 'to-d'));
    symlinkSync(join(it.root, 'd'), join(it.folder, 'outside'));
    symlinkSync('d/later', join(it.root, 'dangling'));
    const ran = it.sh(
      'echo > to-d/1; echo > ../outside/2; echo > dangling; ln -s d brief; echo > brief/3; rm brief; cd to-d; echo > ../d/./4; echo > /proc/self/cwd/5',
    );
    expect(ran.touched).toEqual(['brief', 'd/1', 'd/2', 'd/3', 'd/4', 'd/5', 'd/later']);
  });

  test('it waits for nobody that the program leaves behind, and ends with it', async () => {
    using it = place();
    const ran = it.sh('sleep 60 >/dev/null 2>&1 & exit 3', { env: { TRACE_TEST: it.folder } });
    expect(ran.status).toBe(3);
    for (const file of running(it.folder)) process.kill(Number(file.split('/')[2]), 'SIGKILL');
    while (running(it.folder).length > 0) await nextTurn();
  });

  test('the program ends when it is killed', async () => {
    using it = place();
    const child = spawn(program, it.argv('/bin/sh', '-c', 'echo > a; echo up; while :; do echo > a; done'), {
      ...{ cwd: it.root, env: { TRACE_TEST: it.folder }, stdio: ['ignore', 'pipe', 'ignore'] },
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (running(it.folder).length > 0) await nextTurn();
    expect(readTrace(it.report)?.touched).toEqual(new Set(['a']));
  });

  test('few free descriptors, and none of the program’s', () => {
    using it = place();
    const ran = it.sh(
      `ulimit -n 10; exec ${program} ${it.report}2 ${it.root} -- /bin/sh -c 'ulimit -n; echo > a; echo > d/c'`,
    );
    expect(ran.stdout).toBe('10\n');
    // The outer one was there first, so the inner one says that it could not trace.
    expect(readFileSync(`${it.report}2`, 'utf8')).toBe(
      'incomplete: the system does not let calls be traced\n',
    );
    expect(ran.touched).toEqual(['a', 'd/c']);
  });

  test('a limit on the size of files ends the report, not the program', () => {
    using it = place();
    const loop = 'for i in $(seq 200); do : > "$i-a-name-that-takes-some-room"; done; echo done';
    const ran = spawnSync(
      '/bin/sh',
      ['-c', `ulimit -f 1; exec "$@"`, 'sh', program, ...it.argv('/bin/sh', '-c', loop)],
      {
        ...{ cwd: it.root, encoding: 'utf8' },
      },
    );
    expect([ran.status, ran.stdout]).toEqual([0, 'done\n']);
    expect(readFileSync(it.report, 'utf8')).toBe("incomplete: the report can't be written\n");
  });

  test('a report that can’t be made, or a program that is not there, is no reason to hang', () => {
    using it = place();
    const command = ['/bin/sh', '-c', 'echo > a; exit 4'];
    const ran = spawnSync(program, [join(it.folder, 'no/report'), it.root, '--', ...command], {
      cwd: it.root,
    });
    expect(ran.status).toBe(4);
    expect(it.run(['/no/program'])).toMatchObject({ status: 127, signal: null });
    expect(spawnSync(program, ['x']).status).toBe(125);
  });
});

const hasCompiler = spawnSync('cc', ['--version']).status === 0;

describe.skipIf('why' in tracer || !hasCompiler)('calls of C', { timeout: 60_000 }, () => {
  const built = scratchFolder();
  const caller = join(built.folder, 'caller');
  const source = join(import.meta.dirname, '../support/trace-caller.c');
  if (hasCompiler) execFileSync('cc', ['-static', '-no-pie', '-pthread', '-o', caller, source]);
  afterAll(() => built[Symbol.dispose]());
  const made = (it: Place, what: string): Traced => it.run([caller, what]);

  test.each([
    ['dirfd', ['d/in', 'd/made', 'out']],
    ['exchange', ['a', 'd/b']],
    ['tmpfile', ['d/linked']],
    ['fchmod', ['a']],
    ['by-fd-path', ['d/through']],
    ['openat2', ['d/second']],
    ['not-dumpable', ['hidden']],
  ])('%s', (what, expected) => {
    using it = place();
    expect(made(it, what)).toMatchObject({ status: 0, touched: expected });
  });

  test('sixteen threads at once', () => {
    using it = place();
    const ran = made(it, 'threads');
    expect([ran.status, ran.touched.length]).toEqual([0, 3200]);
  });

  test('rings are not there, so nothing is written through them', () => {
    using it = place();
    expect(made(it, 'io-uring').status).toBe(0);
  });

  const runs32Bits = (): boolean =>
    spawnSync(caller, ['other-architecture'], { cwd: built.folder }).status !== null;
  test.skipIf(process.arch !== 'x64' || !runs32Bits())(
    'a program of 32 bits runs, and the report says that it is not complete',
    () => {
      using it = place();
      expect(made(it, 'other-architecture')).toMatchObject({
        status: 0,
        report: 'incomplete: a program of another architecture ran\n',
      });
      expect(existsSync(join(it.root, 'by-32-bits'))).toBe(true);
    },
  );

  test('a file with several names is known by its inode', () => {
    using it = place();
    writeFileSync(join(it.root, 'one'), '');
    execFileSync('ln', [join(it.root, 'one'), join(it.root, 'other')]);
    it.sh('echo > one');
    expect(readTrace(it.report)?.inodes.size).toBe(1);
  });
});
