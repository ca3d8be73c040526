// The /tmp of a session: its commands share it and nobody else does; it is no way from a command that nobody was asked about to one that
// a person approves; and nothing of it is left when the session is deleted.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { noteSize, type SessionTmp, sessionTmp } from '../../packages/runtime/src/sandbox/session-tmp.ts';
import { dataOf } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

type Printed = { stdout: string; stderr: string; exit_code: number };

describe.each(backends)('held by %s', (backend) => {
  let bench: Workbench;
  let balanced: Workbench;

  beforeAll(async () => {
    forceSandbox(backend);
    const files = { 'a.txt': 'a\n', '.env': 'TOKEN=secret\n' };
    bench = await workbench({ files, mode: 'review' });
    // The same sessions, judged in the other mode.
    balanced = await workbench({ folder: bench.folder, mode: 'balanced' });
    balanced.human(() => ({ kind: 'reject' }));
  });
  afterAll(async () => {
    forceSandbox(undefined);
    await balanced[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
  });

  let calls = 0;
  const inMode = async (mode: Workbench, command: string, session = 's1'): Promise<Printed> =>
    dataOf(
      await mode.call('run_command', { command }, { session, id: `tmp_${backend}_${++calls}` }),
    ) as unknown as Printed;
  const review = (command: string, session?: string): Promise<Printed> => inMode(bench, command, session);
  const tmpOf = (session: string): SessionTmp =>
    sessionTmp({ home: bench.home, session, root: realpathSync(bench.root) });
  const statusOf = async (mode: Workbench, command: string, session = 's1'): Promise<string> =>
    (await mode.call('run_command', { command }, { session, id: `tmp_${backend}_${++calls}` })).status;

  test('two commands of a session share it, and nothing else does', async () => {
    expect((await review('echo hi > /tmp/x; mkdir /tmp/d; echo deep > /tmp/d/y')).exit_code).toBe(0);
    expect((await review('cat /tmp/x /tmp/d/y; echo more >> /tmp/x')).stdout).toBe('hi\ndeep\n');
    expect((await review('cat /tmp/x')).stdout).toBe('hi\nmore\n');
    expect((await review('cat /tmp/x', 's2')).stdout).toBe('');
    expect(existsSync('/tmp/x') && readFileSync('/tmp/x', 'utf8') === 'hi\nmore\n').toBe(false);
  });

  test('caches last for the session; the workspace has nothing of them', async () => {
    const names = 'npm_config_cache PIP_CACHE_DIR GOCACHE UV_CACHE_DIR GRADLE_USER_HOME';
    const each = (line: string): string =>
      `python3 -c 'import os\nfor v in "${names}".split(): p = os.environ[v]; ${line}'`;
    await review(each('os.makedirs(p); open(p + "/x", "w").write(v)'));
    expect((await review(each('print(open(p + "/x").read())'))).stdout).toBe(
      `${names.replaceAll(' ', '\n')}\n`,
    );
    expect(readdirSync(bench.root).sort()).toEqual(['.env', 'a.txt']);
  });

  test('what stands in the machine’s /tmp besides a workspace there is not taken for its own', async () => {
    const besideFile = join(dirname(bench.root), 'beside.txt');
    writeFileSync(besideFile, 'of the machine');
    expect(await statusOf(balanced, `cat ${besideFile}`)).toBe('rejected');
    expect((await review(`cat ${besideFile}; true`)).stdout).toBe('');
  });

  test('a link in it leads nobody out: asked about in balanced mode, and held in review mode', async () => {
    const link = (to: string, name: string): string => `os.symlink("${to}", "/tmp/${name}")`;
    await review(
      `python3 -c 'import os; ${link(`${bench.root}/.env`, 'secret')}; ${link('/', 'root')}; ${link(`${bench.root}/../home`, 'state')}'`,
    );
    expect((await review('cat /tmp/secret /tmp/root/etc/shadow; ls -A /tmp/state/')).stdout).toBe('');
    for (const command of ['cat /tmp/secret', 'cat /tmp/root/etc/passwd', 'ls /tmp/state/tmp'])
      expect([command, await statusOf(balanced, command)]).toEqual([command, 'rejected']);
  });

  test('what an approved command would run from there is shown, and bound to what it was', async () => {
    const approving = await workbench({ folder: bench.folder, mode: 'strict' });
    const tries = [
      ['run.sh', 'sh /tmp/run.sh'],
      ['run.sh', 'sh /tmp/r*.sh'],
      ['run.sh', 'sh /t[m]p/run.sh'],
      ['run.sh', 'cd /tmp && sh run.sh'],
      ['run,1:a=b@c.sh', 'sh /tmp/run,1:a=b@c.sh'],
    ] as const;
    try {
      for (const [at, [name, command]] of tries.entries()) {
        const session = `s3_${at}`;
        await review(`printf 'echo harmless' > /tmp/${name}`, session);
        const notes: string[][] = [];
        approving.human(({ plan }) => {
          notes.push([...plan.notes]);
          if (notes.length === 1) writeFileSync(join(tmpOf(session).shared, name), 'echo evil');
          return { kind: 'approve' };
        }, session);
        const outcome = await approving.call('run_command', { command }, { session });
        expect(notes[0]).toContain(`/tmp/${name}: echo harmless`);
        // The call is asked about again with the new body, or refused: it never runs with a body that was not shown.
        if (outcome.status === 'completed') expect(notes.at(-1)).toContain(`/tmp/${name}: echo evil`);
        else expect(outcome.status).toBe('failed');
      }
    } finally {
      await approving[Symbol.asyncDispose]();
    }
  });

  test('programs of approved commands keep their files where an unasked one can’t put anything', async () => {
    const approving = await workbench({ folder: bench.folder, mode: 'strict' });
    try {
      approving.human(() => ({ kind: 'approve' }), 's4');
      const approved = (command: string): Promise<Printed> => inMode(approving, command, 's4');
      expect((await approved('echo cached > $TMPDIR/kept; echo $TMPDIR $npm_config_cache')).stdout).toBe(
        '/tmp/.asked /tmp/.asked/.npm\n',
      );
      const attack = [
        'echo planted > /tmp/.asked/kept',
        'echo planted > /tmp/.asked/new',
        'mv /tmp/.asked /tmp/moved',
        'rm -rf /tmp/.asked',
        'ln -sfn /tmp/evil /tmp/.asked',
        `python3 -c 'import os; os.system("umount /tmp/.asked; mount -o remount,rw /tmp/.asked")'`,
      ].join('; ');
      await review(attack, 's4');
      expect((await review('cat /tmp/.asked/kept', 's4')).stdout).toBe('cached\n');
      expect((await approved('ls $TMPDIR; cat $TMPDIR/kept')).stdout).toBe('kept\ncached\n');
    } finally {
      await approving[Symbol.asyncDispose]();
    }
  });

  test('a workspace below /tmp can’t be put aside for a link', async () => {
    const [, , first = ''] = bench.root.split('/');
    const top = `"/tmp/${first}"`;
    await review(`python3 -c 'import os; os.rename(${top}, "/tmp/aside")'`);
    await review(`python3 -c 'import os; os.rmdir(${top}); os.symlink("/etc", ${top})'`);
    expect((await review('cat a.txt; ls /tmp')).stdout).toMatch(/^a\n/);
    expect((await review('test -d /tmp/aside && echo moved')).stdout).toBe('');
  });

  test('it is gone with its session, and what links in it led to is not', async () => {
    const outside = join(bench.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'kept'), 'kept');
    await review('mkdir -p /tmp/deep/er; chmod 0 /tmp/deep; echo x > /tmp/file', 's5');
    const { holder, shared } = tmpOf('s5');
    symlinkSync(outside, join(shared, 'out'));
    expect(basename(holder)).not.toContain('s5');
    await bench.log.delete('s5', { who: 'tester', via: 'test' });
    expect(existsSync(holder)).toBe(false);
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
  });

  test('more than it may hold stops a command by name, and the next one finds it empty', async () => {
    const small = await workbench({
      folder: bench.folder,
      mode: 'review',
      limits: { tmpBytes: 1024 * 1024 },
    });
    try {
      const call = (command: string): ReturnType<Workbench['call']> =>
        small.call('run_command', { command }, { session: 's6' });
      expect(await call(`python3 -c 'open("/tmp/big", "wb").write(b"x" * 3000000)'`)).toMatchObject({
        status: 'completed',
      });
      await noteSize(tmpOf('s6'));
      expect(await call('touch /tmp/more')).toMatchObject({
        status: 'failed',
        error: { code: 'EXECUTION_FAILED', details: { limit: 'tmp_mb' } },
      });
      expect(dataOf(await call('ls /tmp; true'))).not.toMatchObject({ stdout: expect.stringMatching('big') });
    } finally {
      await small[Symbol.asyncDispose]();
    }
  });
});

test('without a sandbox a command has a TMPDIR of its own, and /tmp is asked about', async () => {
  forceSandbox('none');
  try {
    await using bench = await workbench({ mode: 'balanced' });
    const summaries: string[] = [];
    bench.human(({ plan }) => {
      summaries.push(plan.summary);
      return { kind: 'approve' };
    });
    const tmpOf = async (session: string): Promise<string> => {
      const outcome = await bench.call(
        'run_command',
        { command: 'true; printf %s "$TMPDIR"; touch x' },
        { session },
      );
      return dataOf(outcome).stdout as string;
    };
    bench.human(() => ({ kind: 'approve' }), 's2');
    const first = await tmpOf('s1');
    expect(first).toMatch(/codelab-\d+\/[0-9a-f-]+\/tmp$/);
    expect(await tmpOf('s1')).toBe(first);
    expect(await tmpOf('s2')).not.toBe(first);
    summaries.length = 0;
    await bench.call('run_command', { command: 'cat /tmp/x' });
    expect(summaries).toEqual(['Run cat /tmp/x']);
    await bench.log.delete('s1', { who: 'tester', via: 'test' });
    expect(existsSync(first)).toBe(false);
    await bench.log.delete('s2', { who: 'tester', via: 'test' });
  } finally {
    forceSandbox(undefined);
  }
});
