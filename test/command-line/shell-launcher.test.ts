import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
// Everything that a shell could take apart.
const scratch = mkdtempSync(join(tmpdir(), `codelab it's "$HOME" * `));
const modules = join(scratch, 'node_modules');
const installed = join(modules, 'codelab');
const launcher = join(installed, 'cli', 'bin', 'codelab');
const home = join(scratch, 'home');

/** Stands in for the bundle: tells what it was given, or ends the way it is told to. */
const program = `
  const [what, how] = process.argv.slice(2);
  if (what === 'who') console.log(JSON.stringify([process.pid, process.execPath]));
  else if (what === 'exit') process.exitCode = Number(how);
  else if (what === 'die') process.kill(process.pid, how);
  else if (what === 'echo') process.stdin.pipe(process.stdout);
  else if (what === 'wait') {
    setInterval(() => {}, 1000);
    process.on(how, () => { console.log(how); process.exit(3); });
    console.log('ready');
  } else console.log(JSON.stringify(process.argv.slice(2)));
`;

beforeEach(() => {
  rmSync(scratch, { recursive: true, force: true });
  cpSync(join(repository, 'apps', 'cli', 'bin'), join(installed, 'cli', 'bin'), { recursive: true });
  mkdirSync(join(installed, 'cli', 'dist'));
  writeFileSync(join(installed, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(installed, 'cli', 'dist', 'main.mjs'), program);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.runIf(process.platform !== 'win32')('the shell launcher', () => {
  test('passes arguments on, through links of any kind and from any folder', () => {
    const node = install('machine');
    const bin = join(scratch, 'bin');
    mkdirSync(bin);
    symlinkSync('../node_modules/codelab/cli/bin/codelab', join(bin, 'relative'));
    symlinkSync(join(bin, 'relative'), join(bin, 'absolute'));
    for (const [command, cwd] of [
      [launcher, tmpdir()],
      [join(bin, 'absolute'), tmpdir()],
      ['./relative', bin],
      ['bin/absolute', scratch],
    ] as const)
      expect(run(command, ['one', 'two  words', '', '$HOME *'], { PATH: node }, cwd)).toEqual({
        status: 0,
        stdout: '["one","two  words","","$HOME *"]\n',
        stderr: '',
      });
    expect(run('/bin/sh', ['codelab', 'one'], { PATH: node }, join(launcher, '..')).stdout).toBe('["one"]\n');
  });

  test('gives its process away, with its input, its exit code and its signals', async () => {
    const PATH = install('machine');
    const { pid, stdout } = spawnSync(launcher, ['who'], { env: { PATH }, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual([pid, process.execPath]);
    expect(run(launcher, ['exit', '7'], { PATH }).status).toBe(7);
    expect(spawnSync(launcher, ['die', 'SIGKILL'], { env: { PATH } }).signal).toBe('SIGKILL');
    expect(spawnSync(launcher, ['echo'], { env: { PATH }, input: 'in' }).stdout.toString()).toBe('in');
    const child = spawn(launcher, ['wait', 'SIGTERM'], { env: { PATH, CODELAB_HOME: home } });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  test('starts no Node that its headers say is old', () => {
    const old = install('old', { version: 20, isBroken: true });
    expect(run(launcher, ['found'], { PATH: `${old}:${install('new', { version: 24 })}` }).stdout).toBe(
      '["found"]\n',
    );
    symlinkSync(old, join(scratch, 'link to old'));
    expect(run(launcher, ['found'], { PATH: `${scratch}/link to old:${scratch}/new/bin` }).status).toBe(0);
    install('.nvm/versions/node/v24.1.0', { version: 24 });
    install('.nvm/versions/node/v20.1.0', { version: 20, isBroken: true });
    expect(run(launcher, ['found'], { PATH: old, NVM_DIR: join(scratch, '.nvm') }).stdout).toBe(
      '["found"]\n',
    );
  });

  test('prefers the Node that npm installed beside it, if it is one for this machine', () => {
    install('node_modules/node-linux-mips', { isBroken: true });
    install('node_modules/node-linux-s390x', { isBroken: true });
    const PATH = install('machine', { isBroken: true });
    expect(run(launcher, ['found'], { PATH }).status).toBe(9);
    install('node_modules/node');
    expect(run(launcher, ['found'], { PATH }).stdout).toBe('["found"]\n');
  });

  test('runs nothing of a relative folder in PATH', () => {
    const workspace = join(scratch, 'workspace');
    for (const name of ['node', 'readlink', 'uname']) place(join(workspace, name));
    const link = join(scratch, 'codelab');
    symlinkSync(launcher, link);
    const PATH = `.::bin:${install('machine')}`;
    expect(run(link, ['found'], { PATH }, workspace)).toEqual({
      status: 0,
      stdout: '["found"]\n',
      stderr: '',
    });
  });

  test('says what to do where there is no Node, or none that is new', () => {
    const { status, stderr } = run(launcher, [], { PATH: '/nowhere' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('nvm install 24')]);
    const PATH = install('old', { version: 20, isBroken: true });
    expect(run(launcher, [], { PATH }).status).toBe(9);
  });

  test('is a program for Node, too', () => {
    expect(run(process.execPath, [launcher, 'one'], {}).stdout).toBe('["one"]\n');
  });
});

/** A folder with a Node: this one, or one that ends with 9; with the header that says its version. Gives the folder of the program. */
function install(folder: string, { version = 0, isBroken = false } = {}): string {
  const bin = join(scratch, folder, 'bin');
  mkdirSync(bin, { recursive: true });
  if (isBroken) place(join(bin, 'node'));
  else symlinkSync(process.execPath, join(bin, 'node'));
  if (version === 0) return bin;
  const headers = join(scratch, folder, 'include', 'node');
  mkdirSync(headers, { recursive: true });
  writeFileSync(
    join(headers, 'node_version.h'),
    `#ifndef SRC_NODE_VERSION_H_\n\n#define NODE_MAJOR_VERSION ${version}\n`,
  );
  return bin;
}

function place(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\nexit 9\n');
  chmodSync(file, 0o755);
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd = tmpdir()) {
  const all = { HOME: scratch, CODELAB_HOME: home, ...env };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: all, encoding: 'utf8' });
  return { status, stdout, stderr };
}
