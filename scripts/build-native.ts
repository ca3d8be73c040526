/**
 * Compiles packages/runtime/native/trace-writes.c where there is a compiler for Linux: for x64 and arm64, with a cross compiler for the one that
 * this machine is not. The same compiler makes the same bytes. Without it CodeLab judges by time who wrote a file (docs/undo.md).
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'packages', 'runtime', 'native');
const compilers = {
  x64: { native: 'cc', cross: 'x86_64-linux-gnu-gcc' },
  arm64: { native: 'cc', cross: 'aarch64-linux-gnu-gcc' },
} as const;
const options =
  '-std=gnu11 -Os -Wall -Wextra -static -nostdlib -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fno-pie -no-pie -fno-tree-loop-distribute-patterns -Wl,--build-id=none,-z,noexecstack -s'.split(
    ' ',
  );

/** The compiled programs, also copied to `beside`. Prints one line. */
export function buildNative(targetFolder: string): string[] {
  const built: string[] = [];
  const missing: string[] = [];
  for (const arch of ['x64', 'arm64'] as const) {
    const name = `trace-writes-${arch}`;
    const problem = compile(arch, name);
    if (problem === undefined) built.push(name);
    else missing.push(`${arch} (${problem})`);
  }
  for (const name of built) place(join(folder, 'dist', name), join(targetFolder, name));
  const without = missing.length === 0 ? '' : `, not for ${missing.join(', ')}`;
  console.log(
    `build: trace-writes for ${built.length === 0 ? 'no machine' : built.map((name) => name.replace('trace-writes-', '')).join(' and ')}${without}`,
  );
  return built;
}

/** Returns why it was not compiled. */
function compile(arch: keyof typeof compilers, name: string): string | undefined {
  const isNative = process.platform === 'linux' && process.arch === arch;
  const compiler = compilers[arch][isNative ? 'native' : 'cross'];
  const temporary = join(folder, 'dist', `.${name}.${process.pid}`);
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const { status, error, stderr } = spawnSync(
    compiler,
    [...options, '-o', temporary, join(folder, 'trace-writes.c')],
    { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
  );
  if (status === 0) {
    renameSync(temporary, join(folder, 'dist', name));
    return undefined;
  }
  // A program of an older source would record something else.
  for (const file of [temporary, join(folder, 'dist', name)]) rmSync(file, { force: true });
  return error === undefined
    ? (stderr.split('\n').find((line) => line !== '') ?? 'it failed')
    : `no ${compiler}`;
}

function place(from: string, to: string): void {
  const temporary = `${to}.${process.pid}`;
  copyFileSync(from, temporary);
  renameSync(temporary, to);
}
