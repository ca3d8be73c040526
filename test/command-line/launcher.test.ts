import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'codelab-launcher-'));
const cli = join(scratch, 'apps', 'cli');
const home = join(scratch, 'home');
const cache = join(home, 'cache', 'v8');

/** Stands in for the bundle: says what it was given, or ends the way it is told to. */
const program = `
  const [what, how] = process.argv.slice(2);
  if (what === 'pid') console.log(process.pid);
  else if (what === 'exit') process.exitCode = Number(how);
  else if (what === 'throw') throw new Error('boom');
  else if (what === 'wait') {
    setInterval(() => {}, 1000);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => { console.log(signal); process.exit(3); });
    console.log('ready');
  } else if (what === 'die') process.kill(process.pid, how);
  else console.log(JSON.stringify(process.argv.slice(2)));
`;

beforeEach(() => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(join(cli, 'dist'), { recursive: true });
  cpSync(join(repository, 'apps', 'cli', 'bin'), join(cli, 'bin'), { recursive: true });
  writeFileSync(join(cli, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(cli, 'dist', 'main.mjs'), program);
  mkdirSync(join(scratch, 'node_modules'));
  const modules = join(repository, 'node_modules');
  for (const name of readdirSync(modules).filter((name) => /^node(-bin|-linux|-darwin|-win|$)/.test(name)))
    symlinkSync(join(modules, name), join(scratch, 'node_modules', name));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** As started by another Node. */
const withoutOwnPath = `--import=data:text/javascript,process.execPath='/nowhere'`;

/** As on a Node without `process.execve`. */
const withoutExecve = '--import=data:text/javascript,delete process.execve';

describe.each([
  { launcher: 'codelab.js', options: [] },
  { launcher: 'relaunch.js', options: [] },
  { launcher: 'relaunch.js', options: [withoutExecve] },
])('$launcher $options', ({ launcher, options }) => {
  test('passes arguments on, from any folder and through a link', () => {
    const link = join(scratch, 'codelab');
    symlinkSync(join(cli, 'bin', launcher), link);
    expect(run([...options, link], 'one', 'two words', '')).toEqual({
      exitCode: 0,
      stdout: '["one","two words",""]\n',
      stderr: '',
    });
  });

  test('ends with the exit code of the program', () => {
    expect(run([...options, join(cli, 'bin', launcher)], 'exit', '7').exitCode).toBe(7);
  });

  test('shows an error of the program as it is', () => {
    const { exitCode, stderr } = run([...options, join(cli, 'bin', launcher)], 'throw');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('Error: boom') });
  });

  test('says how to build when there is no build', () => {
    rmSync(join(cli, 'dist'), { recursive: true });
    const stderr = 'codelab is not built yet: run `npm run build`\n';
    expect(run([...options, join(cli, 'bin', launcher)])).toEqual({ exitCode: 2, stdout: '', stderr });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('hands on %s', async (signal) => {
    const args = [...options, join(cli, 'bin', launcher), 'wait'];
    const child = spawn(process.execPath, args, { env: environment() });
    expect(await nextLine(child)).toBe('ready');
    child.kill(signal);
    expect(await nextLine(child)).toBe(signal);
    expect(await once(child, 'exit')).toEqual([3, null]);
  });
});

test('an older Node reports the signal that ended the program as 128 + its number', () => {
  expect(run([withoutExecve, join(cli, 'bin', 'relaunch.js')], 'die', 'SIGKILL').exitCode).toBe(137);
});

test.runIf(process.platform !== 'win32')('gives its process to the Node that runs codelab', () => {
  const args = [join(cli, 'bin', 'relaunch.js'), 'pid'];
  const { pid, stdout } = spawnSync(process.execPath, args, { env: environment(), encoding: 'utf8' });
  expect(stdout).toBe(`${pid}\n`);
});

test('an older Node uses a newer one on PATH, or of a version manager', () => {
  rmSync(join(scratch, 'node_modules'), { recursive: true });
  const onPath = { PATH: dirname(process.execPath) };
  const program = [withoutOwnPath, join(cli, 'bin', 'relaunch.js')];
  expect(runWith(onPath, program, 'found').stdout).toBe('["found"]\n');
  const bin = join(scratch, '.nvm', 'versions', 'node', 'v24.1.0', 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  expect(runWith({ PATH: '', NVM_DIR: join(scratch, '.nvm') }, program, 'found').stdout).toBe('["found"]\n');
});

test('an older Node with no newer one beside it says what to do', () => {
  rmSync(join(scratch, 'node_modules'), { recursive: true });
  const env = { PATH: '', NVM_DIR: scratch, XDG_DATA_HOME: scratch, HOME: scratch };
  const { exitCode, stderr } = runWith(env, [join(cli, 'bin', 'relaunch.js')]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('needs Node.js 24');
  expect(stderr).toContain('nvm install 24');
});

test('the compile cache lies in a folder of the user alone', () => {
  run([join(cli, 'bin', 'codelab.js')]);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(readdirSync(cache)).toHaveLength(1);
});

test('a cache folder others can write to is not used', () => {
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o777);
  expect(run([join(cli, 'bin', 'codelab.js')]).exitCode).toBe(0);
  expect(readdirSync(cache)).toEqual([]);
});

test('a state folder that cannot be made is no error', () => {
  writeFileSync(home, 'a file, not a folder');
  expect(run([join(cli, 'bin', 'codelab.js')])).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' });
});

function run(launcher: readonly string[], ...args: string[]) {
  return runWith({}, launcher, ...args);
}

function runWith(env: NodeJS.ProcessEnv, launcher: readonly string[], ...args: string[]) {
  const options = { cwd: tmpdir(), env: { ...environment(), ...env }, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...launcher, ...args], options);
  return { exitCode: status, stdout, stderr };
}

function environment(): NodeJS.ProcessEnv {
  // The cache of the tests would be used instead of its own.
  const { NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  return { ...env, CODELAB_HOME: home };
}

async function nextLine(child: ChildProcess): Promise<string> {
  const [data] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  return String(data).trimEnd();
}
