// `codelab sessions` as a whole process: resume after a kill, fork, delete.
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelAnswer, modelServer } from '../support/model-server.ts';
import {
  callAnswer,
  linesOf,
  lineWith,
  messagesOf,
  type RunBench,
  runBench,
  textAnswer,
} from '../support/run-bench.ts';
import { canMount, fillDisk, mountTmpfs } from '../support/tmpfs.ts';

let bench: RunBench;
beforeEach(() => {
  bench = runBench();
});
afterEach(() => bench[Symbol.dispose]());

describe('sessions', { timeout: 60_000 }, () => {
  test('killed in the middle of a turn: resume asks again, and no call runs twice', async () => {
    let isDown = true;
    await using server = await modelServer(
      (request) => {
        const messages = request.body.messages as { role: string }[];
        if (messages.at(-1)?.role !== 'tool')
          return callAnswer('run_command', { command: 'echo ran >> ran.txt' });
        if (messages.filter(({ role }) => role === 'tool').length === 1)
          return callAnswer('write_file', { path: 'b.txt', content: 'x\n' }, 'call_2');
        return textAnswer(isDown ? '…' : 'Both done.');
      },
      { answersGet: false },
    );
    const first = bench.start(
      server,
      'run',
      'do both',
      '--approve',
      'ask',
      '--output',
      'stream-json',
      '--session',
      's1',
    );
    // The command waits for a decision; another process gives it. The second call is left waiting when the first process dies.
    await lineWith(first, '"approval.requested"');
    await bench.codelab(server, 'tool', 'read_file', '{"path":"a.txt"}');
    first.kill('SIGKILL');
    await once(first, 'close');
    isDown = false;
    const resumed = await bench.codelab(server, 'sessions', 'resume', 's1', '--approve', 'all');
    expect(resumed).toMatchObject({ code: 0, stdout: 'Both done.\n' });
    expect(bench.textOf('ran.txt')).toBe('ran\n');
    expect(bench.textOf('b.txt')).toBe('x\n');
    const resumedAgain = await bench.codelab(server, 'sessions', 'resume', 's1');
    expect(resumedAgain).toMatchObject({ code: 2, stderr: expect.stringContaining('Give a PROMPT') });
  });

  test.skipIf(!canMount())(
    'a full disk below the state folder is told in the result, and by doctor',
    async () => {
      await using server = await modelServer(() => textAnswer('Hello.'), { answersGet: false });
      using disk = mountTmpfs(join(bench.workspace, '..', 'home'), 'size=3m');
      chmodSync(disk.path, 0o700);
      expect(await bench.codelab(server, 'run', 'Hello')).toMatchObject({ code: 0 });
      fillDisk(disk.path);
      const ended = await bench.codelab(server, 'run', 'Hello', '--output', 'json');
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('(NO_SPACE)') });
      expect(JSON.parse(ended.stdout)).toMatchObject({
        stop_reason: 'failed',
        message: expect.stringContaining(`the disk of CodeLab’s state folder`),
      });
      const { stdout } = await bench.codelab(server, 'doctor');
      expect(stdout).toMatch(/✖ state folder +its disk is full/);
    },
  );

  test('an open turn is finished in its own profile; what follows is printed once', async () => {
    let step = 0;
    const answers = [
      callAnswer('write_file', { path: 'b.txt', content: 'x' }),
      textAnswer('one'),
      textAnswer('two'),
    ];
    const hanging: ModelAnswer = { pieces: [], after: 'hang' };
    let isDown = true;
    await using server = await modelServer(() => (isDown ? hanging : (answers[step++] ?? hanging)), {
      answersGet: false,
    });
    const args = ['run', 'go', '--session', 's1', '--profile', 'plan', '--output', 'stream-json'];
    const first = bench.start(server, ...args);
    await lineWith(first, '"turn.started"');
    first.kill('SIGKILL');
    await once(first, 'close');
    isDown = false;
    const extraArgs = ['--approve', 'all', '--output', 'stream-json'];
    const { code, stdout } = await bench.codelab(server, 'sessions', 'resume', 's1', 'more', ...extraArgs);
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    const numbers = lines.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []));
    expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
    expect(lines).toContainEqual(expect.objectContaining({ type: 'turn.started', profile: 'plan' }));
    expect(lines.find(({ type }) => type === 'call.finished')).toMatchObject({
      outcome: { error: { code: 'TOOL_NOT_FOUND' } },
    });
  });

  test('while a turn is under way another is refused; when its process is gone, it is finished', async () => {
    let isDown = true;
    await using server = await modelServer(
      () => (isDown ? { pieces: [], after: 'hang' } : textAnswer('Done.')),
      {
        answersGet: false,
      },
    );
    const first = bench.start(server, 'run', 'go', '--session', 's1', '--output', 'stream-json');
    await lineWith(first, '"turn.started"');
    for (const args of [
      ['sessions', 'resume', 's1'],
      ['run', 'too', '--session', 's1'],
      ['sessions', 'delete', 's1'],
    ])
      expect(await bench.codelab(server, ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`is running in process ${first.pid}`),
      });
    first.kill('SIGKILL');
    await once(first, 'close');
    isDown = false;
    const resumed = await bench.codelab(server, 'sessions', 'resume', 's1');
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    const contents = messagesOf(server, -1).map(({ content }) => content);
    expect(contents.slice(1)).toEqual(['go']);
  });

  test('what a cancelled run says to continue with continues it', async () => {
    let isDown = true;
    await using server = await modelServer(
      () => (isDown ? { pieces: [], after: 'hang' } : textAnswer('Done.')),
      { answersGet: false },
    );
    const late = await bench.codelab(server, 'run', 'go', '--timeout', '2s');
    expect(late.code).toBe(124);
    const [, words = ''] = /^Continue with: codelab (.*)$/m.exec(late.stderr) ?? [];
    const [, id = '', prompt] = /^sessions resume (\S+) "(.*)"$/.exec(words) ?? [];
    isDown = false;
    const resumed = await bench.codelab(server, 'sessions', 'resume', id, ...(prompt ? [prompt] : []));
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(messagesOf(server, -1).at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('Continue.'),
    });
  });

  test('a call that waited in other words is carried out as it was asked', async () => {
    const content = { file_path: `${bench.workspace}/b.txt`, content: 'x' };
    await using server = await modelServer([callAnswer('Replace', content), textAnswer('Done.')]);
    const args = ['run', 'go', '--session', 's1', '--approve', 'ask', '--output', 'backend_only'];
    const first = bench.start(server, ...args);
    await lineWith(first, '"tool_use"');
    await waitingIn('s1');
    first.kill('SIGKILL');
    await once(first, 'close');
    const resumed = await bench.codelab(server, 'sessions', 'resume', 's1', '--approve', 'all');
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(bench.textOf('b.txt')).toBe('x');

    async function waitingIn(session: string): Promise<void> {
      for (let n = 0; n < 100; n++) {
        const { stdout } = await bench.codelab(server, 'sessions', 'show', session, '--json');
        if (stdout.includes('"pending_approvals":[{')) return;
      }
      throw new Error('Nothing waits.');
    }
  });

  test('a session is not continued in another folder: its record would name the wrong files', async () => {
    const write = callAnswer('write_file', { path: 'a.txt', content: 'by the agent\n' });
    await using server = await modelServer(
      (request) =>
        (request.body.messages as { role: string }[]).at(-1)?.role === 'tool' ? textAnswer('Done.') : write,
      { answersGet: false },
    );
    await bench.codelab(server, 'run', 'hello', '--session', 's1');
    const other = join(bench.workspace, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'a.txt'), 'two\n');
    const otherArgs = ['--session', 's1', '--approve', 'all', '--workspace', other];
    const call = '{"path":"a.txt","content":"by the tool\\n"}';
    for (const line of [
      ['run', 'go', ...otherArgs],
      ['tool', 'write_file', call, ...otherArgs],
    ]) {
      const { code, stdout, stderr } = await bench.codelab(server, ...line);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain(`Session s1 works in ${bench.workspace}. Continue there`);
    }
    expect(bench.textOf('other/a.txt')).toBe('two\n');
    expect(bench.textOf('a.txt')).toBe('one\n');
    await bench.codelab(server, 'run', 'hello', '--session', 's2', '--workspace', other);
    renameSync(other, join(bench.workspace, 'moved'));
    const moved = ['undo', '--session', 's2', '--workspace', join(bench.workspace, 'moved')];
    expect((await bench.codelab(server, ...moved)).stderr).toContain(
      `works in ${other}, which no longer exists. If you moved the folder, move it back`,
    );
  });

  test('fork goes on from what was said; a session that is forked from can’t be deleted', async () => {
    await using server = await modelServer([textAnswer('Your name is Ann.'), textAnswer('Ann.')]);
    await bench.codelab(server, 'run', 'I am Ann.', '--session', 's1');
    const fork = JSON.parse((await bench.codelab(server, 'sessions', 'fork', 's1', '--json')).stdout) as {
      session: string;
    };
    expect(await bench.codelab(server, 'sessions', 'resume', fork.session, 'Who am I?')).toMatchObject({
      code: 0,
      stdout: 'Ann.\n',
    });
    const contents = messagesOf(server, 1).map(({ content }) => content);
    expect(contents.slice(1)).toEqual(['I am Ann.', 'Your name is Ann.', 'Who am I?']);
    expect(await bench.codelab(server, 'sessions', 'delete', 's1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('forked from'),
    });
    expect(await bench.codelab(server, 'sessions', 'delete', fork.session)).toMatchObject({ code: 0 });
    expect(await bench.codelab(server, 'sessions', 'delete', 's1')).toMatchObject({ code: 0 });
    expect((await bench.codelab(server, 'sessions', 'list')).stdout).toContain('No sessions here yet');
  });
});
