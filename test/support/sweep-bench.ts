// The environment of the sweep: the program bundled once, and lanes. A lane is one folder that is set up again for every combination,
// always at the same path, because the log records the path of its workspace.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildSync } from 'esbuild';
import { newRepository } from './real-git.ts';
import type { SweepCase } from './sweep-cases.ts';
import type { Checker } from './sweep-checker.ts';
import type { CompanionProcess } from './sweep-companion.ts';
import { createDisk, type Disk, loadDisks, saveDisks } from './sweep-disk.ts';
import type { Order, OrderedCall, Report } from './sweep-order.ts';
import { mountTmpfs } from './tmpfs.ts';

export type SweepBench = Disposable & {
  scratch: string;
  script(name: string): string;
  /** Unmounted at the end. */
  mounts: (Disposable & { path: string })[];
  /** Groups of processes that run: one that is stopped would stay for ever. */
  running: Set<number>;
};

export type Lane = {
  bench: SweepBench;
  folder: string;
  root: string;
  home: string;
  /** Beside the workspace: nothing in it may ever change. */
  outside: string;
  /** The folder of prepared cases. */
  prepared: string;
  /** Precedes every program, to run it as another user. */
  wrapper?: readonly string[];
  /** The file systems that its folder is on, where their state can be saved; an empty list asks for them. */
  disks?: readonly Disk[];
  /** Starts hosts within one process, where it is not the start of a process that is tested. */
  checker?: Checker;
  /** The same for companions in the same workspace. */
  companions?: CompanionProcess;
};

export type Ended = { status: number | null; signal: string | null; stdout: string; stderr: string };

/** Everything is in memory where possible: a killed process's writes stay either way. */
export function sweepBench(): SweepBench {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const scratch = mkdtempSync(join(base, 'codelab-sweep-'));
  // Some of it runs as another user.
  chmodSync(scratch, 0o755);
  const scripts = new Map<string, string>();
  const mounts: SweepBench['mounts'] = [];
  const running = new Set<number>();
  return {
    scratch,
    mounts,
    running,
    script(name) {
      const known = scripts.get(name) ?? bundle(name, scratch);
      scripts.set(name, known);
      return known;
    },
    [Symbol.dispose]() {
      for (const pid of running) endGroup(pid);
      for (const mount of mounts.toReversed()) mount[Symbol.dispose]();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

function bundle(name: string, scratch: string): string {
  const outfile = join(scratch, `${name}.mjs`);
  const entryPoints = [join(import.meta.dirname, `${name}.ts`)];
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node24' });
  return outfile;
}

export function openLane(bench: SweepBench, number: number): Lane {
  const lane = join(bench.scratch, `lane-${number}`);
  const folder = join(lane, 'run');
  const prepared = join(lane, 'prepared');
  mkdirSync(prepared, { recursive: true });
  return {
    bench,
    folder,
    root: join(folder, 'work'),
    home: join(folder, 'home'),
    outside: join(folder, 'outside'),
    prepared,
  };
}

/** The lane itself, or the one beside it with its state folder on a separate device. */
function laneFor(lane: Lane, { isApart }: SweepCase): Lane {
  const folder = isApart ? join(lane.folder, '..', 'apart') : lane.folder;
  const home = join(folder, 'home');
  const { mounts } = lane.bench;
  const places = isApart ? [folder, home] : [folder];
  const disks = lane.disks && places.map((path) => diskAt(lane, path));
  if (isApart && !mounts.some(({ path }) => path === home)) mounts.push(mountTmpfs(home, 'size=256m'));
  const paths = { folder, root: join(folder, 'work'), home, outside: join(folder, 'outside') };
  return { ...lane, ...paths, ...(disks && { disks }) };
}

function diskAt({ bench: { mounts }, prepared }: Lane, path: string): Disk {
  const known = mounts.find((mount): mount is Disk => mount.path === path && 'save' in mount);
  if (known !== undefined) return known;
  const disk = createDisk(join(prepared, `${mounts.length}.disk`), path);
  mounts.push(disk);
  disk.mount();
  return disk;
}

/** The log's key is set up with the log: the note beside it is about this log, not about an earlier one at its path. */
export const keysOf = ({ folder }: Pick<Lane, 'folder'>): string => join(folder, 'keys');

/** One thread does the file work, so that system calls can be counted. */
const environment = ({ bench, folder }: Lane): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  CODELAB_KEYS: keysOf({ folder }),
  UV_THREADPOOL_SIZE: '1',
  NODE_COMPILE_CACHE: join(bench.scratch, 'compiled'),
});

/** A program that runs: its id, and how it ends. */
export type Begun = { pid: number; ended: Promise<Ended> };

export function begin(
  lane: Lane,
  order: Omit<Order, 'folder'>,
  wrapper: readonly string[] = [],
  longestMs = 30_000,
): Begun {
  const { bench, folder } = lane;
  const command = [process.execPath, bench.script('sweep-program'), JSON.stringify({ folder, ...order })];
  const [program = '', ...args] = [...wrapper, ...(lane.wrapper ?? []), ...command];
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, args, { stdio: [...stdio], env: environment(lane), detached: true });
  const { pid = 0 } = child;
  if (pid > 0) bench.running.add(pid);
  // A start that hangs has failed; its whole process group is ended.
  const timer = setTimeout(() => endGroup(pid), longestMs);
  const closed = new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve([code, signal]));
  }).finally(() => {
    clearTimeout(timer);
    bench.running.delete(pid);
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), closed]).then(
    ([stdout, stderr, [status, signal]]) => ({ status, signal, stdout, stderr }),
  );
  return { pid, ended };
}

export async function runIn(...args: Parameters<typeof begin>): Promise<Ended> {
  return await begin(...args).ended;
}

/** The program's report; an error when it could not start. */
export function reportOf({ stdout, stderr, status, signal }: Ended): Report {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (status === 0 && line.startsWith('{')) return JSON.parse(line) as Report;
  const problem = stderr.split('\n').find((line) => /^\w*Error: /.test(line)) ?? stderr.slice(-300);
  throw new Error(`the start failed (${signal ?? status}): ${problem.trim()}`);
}

export async function start(
  lane: Lane,
  calls: readonly OrderedCall[],
  extra: Partial<Order> = {},
): Promise<Report> {
  if (lane.checker !== undefined) return await lane.checker.start({ folder: lane.folder, ...extra, calls });
  return reportOf(await runIn(lane, { ...extra, calls }));
}

/** Sets up the folder of a case: its files, its history, and everything committed on a separate branch. */
export async function prepare(baseLane: Lane, sweepCase: SweepCase): Promise<void> {
  const lane = laneFor(baseLane, sweepCase);
  const { folder, root, home, outside } = lane;
  clear(lane);
  for (const path of [root, home, join(outside, 'canary', 'e')]) mkdirSync(path, { recursive: true });
  for (const path of ['canary/b.txt', 'canary/e/c.txt', 'canary/f00.txt'])
    writeFileSync(join(outside, path), `outside ${path}\n`);
  for (const [path, content] of Object.entries(sweepCase.files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  sweepCase.prepare?.(root);
  const git = newRepository(root);
  // The session exists before, so that the log writes that follow are those of the call.
  const history = [{ tool: 'list_files', args: {} }, ...sweepCase.history];
  const report = await start(
    lane,
    history.map((call, i) => ({ ...call, id: `before_${i}` })),
  );
  const failed = report.outcomes.find(({ status }) => status !== 'completed');
  if (failed !== undefined) throw new Error(`${sweepCase.name}: ${JSON.stringify(failed)}`);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'before');
  git('checkout', '--quiet', '-b', 'feature');
  sweepCase.afterwards?.(root, git);
  const preparedCopy = join(lane.prepared, sweepCase.name);
  rmSync(preparedCopy, { recursive: true, force: true });
  if (lane.disks === undefined) copy(folder, preparedCopy);
  else await saveDisks(lane.disks, preparedCopy);
}

/** Returns the lane that the case is laid out in. */
export async function layOut(baseLane: Lane, sweepCase: SweepCase): Promise<Lane> {
  const lane = laneFor(baseLane, sweepCase);
  const preparedCopy = join(lane.prepared, sweepCase.name);
  if (lane.disks !== undefined) {
    await loadDisks(lane.disks, preparedCopy);
    return lane;
  }
  clear(lane);
  copy(`${preparedCopy}/.`, lane.folder);
  return lane;
}

// A folder that something is mounted on stays.
function clear({ folder, home }: Lane): void {
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(folder))
    if (name !== 'home') rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true });
}

// With owners, modes, times and hard links, which `cpSync` does not preserve.
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
