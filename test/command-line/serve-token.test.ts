// The sources of `codelab serve`'s token, and who else could see it; folders of other users.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const token = 'a-token-to-be-hidden';

type Scratch = ReturnType<typeof scratchFolder>;
type Started = AsyncDisposable & {
  child: ChildProcess;
  ready: { url: string; token: string };
  stderr: Promise<string>;
};

/** Once it listens. */
async function serve(
  { root, home, folder }: Scratch,
  args: string[],
  { env = {}, fd }: { env?: Record<string, string>; fd?: number } = {},
): Promise<Started> {
  const file = join(folder, 'ready.json');
  const { CODELAB_TOKEN: _token, ...own } = process.env;
  const child = spawn(
    process.execPath,
    [
      codelabProgram,
      'serve',
      '--port',
      '0',
      '--no-web',
      '--log-level',
      'silent',
      '--ready-file',
      file,
      ...args,
    ],
    {
      cwd: root,
      env: { ...own, CODELAB_HOME: home, ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(fd === undefined ? [] : [fd])],
    },
  );
  const stderr = child.stderr === null ? Promise.resolve('') : text(child.stderr);
  const failed = once(child, 'exit').then(async ([code]) =>
    Promise.reject(new Error(`ended ${code}: ${await stderr}`)),
  );
  await Promise.race([child.stdout && once(child.stdout, 'data'), failed]);
  failed.catch(() => undefined);
  return {
    child,
    ready: JSON.parse(readFileSync(file, 'utf8')) as Started['ready'],
    stderr,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    },
  };
}

test('the token comes from a file, a descriptor or the environment, and stands in no process list', async () => {
  using scratch = scratchFolder();
  const file = join(scratch.folder, 'token');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  for (const [args, more] of [
    [['--token-file', file], {}],
    [['--token-fd', '3'], { fd: openSync(file, 'r') }],
    [[], { env: { CODELAB_TOKEN: token } }],
  ] as const) {
    await using started = await serve(scratch, [...args], more);
    expect(started.ready.token).toBe(token);
    const { pid } = started.child;
    if (process.platform === 'linux')
      expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(token);
    started.child.kill('SIGTERM');
    expect(await started.stderr).toBe('');
  }
});

test('a token on the command line works, is taken out of the process list, and is warned of', async () => {
  using scratch = scratchFolder();
  await using started = await serve(scratch, ['--token', token]);
  expect(started.ready.token).toBe(token);
  if (process.platform === 'linux')
    expect(readFileSync(`/proc/${started.child.pid}/cmdline`, 'latin1')).not.toContain(token);
  started.child.kill('SIGTERM');
  expect((await started.stderr).match(/--token-file/g)).toHaveLength(1);
});

test('codelab mcp --http takes its token in the same ways', async () => {
  using scratch = scratchFolder();
  const file = join(scratch.folder, 'token');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const { CODELAB_TOKEN: _token, ...own } = process.env;
  const child = spawn(process.execPath, [codelabProgram, 'mcp', '--http', '0', '--token-file', file], {
    cwd: scratch.root,
    env: { ...own, CODELAB_HOME: scratch.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = text(child.stderr);
  const [started] = (await once(child.stdout, 'data')) as [Buffer];
  const { url = '' } = /(?<url>http:\S+\/mcp)/.exec(started.toString())?.groups ?? {};
  const ask = async (bearer: string) =>
    (await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${bearer}` }, body: '{}' })).status;
  expect(await ask('another-token')).toBe(401);
  expect(await ask(token)).not.toBe(401);
  child.kill('SIGTERM');
  expect(await told).toBe('');
});

test('a token is given in one way, and readable', async () => {
  using scratch = scratchFolder();
  for (const args of [
    ['--token', token, '--token-file', 'x'],
    ['--token-file', join(scratch.folder, 'none')],
    ['--token-file', ''],
    ['--token-fd', ''],
    ['--token-fd', 'x'],
    ['--token-fd', '77'],
  ])
    await expect(serve(scratch, args)).rejects.toThrow('ended 2');
});

test('keys that can’t be read end the start with the reason', async () => {
  using scratch = scratchFolder();
  const none = join(scratch.folder, 'none.json');
  await expect(serve(scratch, ['--auth', 'jwt', '--jwks', none])).rejects.toThrow(
    /ended 1: .*keys at .*none\.json can’t be read/,
  );
});

test('nothing that a tool starts has the token in its environment', async () => {
  using scratch = scratchFolder();
  await using started = await serve(scratch, [], { env: { CODELAB_TOKEN: token } });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (path: string, body: object) => {
    const answer = await fetch(`${started.ready.url}/api/v1/sessions${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const { id } = await send('', {});
  const answer = await send(`/${String(id)}/calls`, {
    tool: 'run_command',
    args: { command: 'env' },
    approve: true,
  });
  expect(JSON.stringify(answer)).toContain('PATH=');
  expect(JSON.stringify(answer)).not.toContain(token);
});

test.skipIf(process.geteuid?.() !== 0)('folders of somebody else are refused by name', async () => {
  using scratch = scratchFolder();
  mkdirSync(scratch.home, { recursive: true });
  chownSync(scratch.home, 65_534, 65_534);
  await expect(serve(scratch, [])).rejects.toThrow(/ended 1: .*state folder.*belongs to another user/);
  chownSync(scratch.home, 0, 0);
  const sample = join(scratch.folder, 'codelab-sample');
  mkdirSync(sample);
  chownSync(sample, 65_534, 65_534);
  await expect(serve(scratch, ['--sample'])).rejects.toThrow(/ended 1: .*sample.*belongs to another user/);
});

test('in a folder that all may write to, the sample has a name that nobody can guess', async () => {
  using scratch = scratchFolder();
  chmodSync(scratch.folder, 0o1777);
  await using started = await serve(scratch, ['--sample']);
  const answer = await fetch(`${started.ready.url}/api/v1/settings`, {
    headers: { authorization: `Bearer ${started.ready.token}` },
  });
  const name = /\/codelab-sample-\w{6}\/hello-shop$/;
  expect(await answer.json()).toMatchObject({ workspace: expect.stringMatching(name) });
});
