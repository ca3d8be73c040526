// Finds where a call can be interrupted: every system call of the process that changes its workspace or its state folder,
// by name and by how many of that name its thread had made.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lane, layOut, reportOf, runIn } from './sweep-bench.ts';
import type { SweepCase } from './sweep-cases.ts';
import { readTree, type Tree } from './sweep-tree.ts';

export type Point = {
  call: string;
  nth: number;
  /** What it does it to, as strace shows it. */
  target: string;
  /** Whether it writes the log; most of them do. */
  isLog: boolean;
};

export type Surveyed = { case: SweepCase; old: Tree; new: Tree; points: readonly Point[]; hidden: number };

const changing = [
  'rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,symlink,symlinkat',
  'openat,write,pwrite64,writev,pwritev,copy_file_range,ftruncate,fallocate',
  'chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,fsync,fdatasync',
].join(',');

/** Only the calls that are looked for stop the process, which makes it four times as fast. */
const quick = '--seccomp-bpf';

function tracing(file: string): string[] {
  return ['strace', '-f', quick, '-qq', '-y', '-s', '300', '-o', file, '-e', `trace=${changing}`];
}

/** Kills the process as it enters the call; strace can't do that the quick way. */
export function killing({ call, nth }: Point): string[] {
  return injecting(call, `signal=KILL:when=${nth}`);
}

/** Stops the process at the call: it lives, and can be told to go on. */
export function stopping({ call, nth }: Point): string[] {
  return injecting(call, `signal=STOP:when=${nth}`);
}

/** Lets the call fail; from then on all of that name, with a plus. */
export function failing({ call, nth }: Point, error: string, plus: '' | '+' = ''): string[] {
  return injecting(call, `error=${error}:when=${nth}${plus}`, [quick]);
}

function injecting(call: string, what: string, more: string[] = []): string[] {
  return [
    'strace',
    '-f',
    ...more,
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    `trace=${call}`,
    '-e',
    `inject=${call}:${what}`,
  ];
}

/** Runs the call once, to its end. `beside` starts whoever is at work in the same workspace. */
export async function survey(
  given: Lane,
  one: SweepCase,
  beside?: (lane: Lane) => Promise<AsyncDisposable>,
): Promise<Surveyed> {
  const lane = await layOut(given, one);
  await using _companion = await beside?.(lane);
  const old = readTree(lane.root);
  const trace = join(lane.prepared, `${one.name}.trace`);
  const ended = await runIn(lane, { calls: [{ ...one.call, id: 'it' }] }, tracing(trace));
  const [outcome] = reportOf(ended).outcomes;
  if (outcome?.status !== 'completed') throw new Error(`${one.name}: ${JSON.stringify(outcome)}`);
  return { case: one, old, new: readTree(lane.root), ...readTrace(readFileSync(trace, 'utf8'), lane, one) };
}

function readTrace(
  trace: string,
  { folder }: Lane,
  { isCommand }: SweepCase,
): { points: Point[]; hidden: number } {
  // What a command's own processes do is not ours.
  const main = /^\d+/.exec(trace)?.[0];
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  const points: Point[] = [];
  let hidden = 0;
  for (const line of trace.split('\n')) {
    const [, thread, call, args = '', result] =
      /^(\d+) +(\w+)\((.*)\) += (-?\d+)/.exec(line) ?? unfinished(line);
    if (thread === undefined || call === undefined) continue;
    const nth = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, nth);
    // Threads are counted apart: the first that comes so far is the one that is hit.
    const isFirst = !seen.has(`${call} ${nth}`);
    seen.add(`${call} ${nth}`);
    if (result?.startsWith('-') || (isCommand && thread !== main) || !isOurs(call, args, folder)) continue;
    const isLog = /\/home(\/sessions\.|>)/.test(args);
    if (isFirst) points.push({ call, nth, target: args.slice(0, 120), isLog });
    else if (!/sync$/.test(call)) hidden++;
  }
  return { points: points.filter(isTelling), hidden };
}

/** Of the writes that make up one commit of the log only the first and the last: in between nothing else can have changed. */
function isTelling({ call, isLog }: Point, at: number, points: readonly Point[]): boolean {
  return !isLog || [points[at - 1], points[at + 1]].some((beside) => !beside?.isLog || beside.call !== call);
}

function unfinished(line: string): (string | undefined)[] {
  return /^(\d+) +(\w+)\((.*) <unfinished/.exec(line) ?? [];
}

function isOurs(call: string, args: string, folder: string): boolean {
  if (call === 'openat' && !/O_(WRONLY|RDWR|CREAT|TRUNC)/.test(args)) return false;
  if (/write|fallocate|ftruncate|^f|copy/.test(call) && call !== 'fchmodat' && call !== 'fchownat')
    return args.includes(`<${folder}/`);
  return args.includes(`"${folder}/`) || args.includes('"/proc/self/fd/');
}
