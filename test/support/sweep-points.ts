// Finds where a call can be interrupted: every system call of the process that changes its workspace or its state folder,
// by name and by how many of that name its thread had made.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lane, layOut, reportOf, runIn, start } from './sweep-bench.ts';
import type { SweepCase } from './sweep-cases.ts';
import { readTree, type Tree } from './sweep-tree.ts';

export type Point = {
  call: string;
  nth: number;
  /** The object of the system call, as strace shows it. */
  target: string;
  /** Whether it writes the log, as most of them do. */
  isLog: boolean;
};

/**
 * `undone` is the tree after an undo that finds the call not begun, or, where the call is an undo itself, completed. It is missing where
 * nothing is left to undo.
 */
export type Surveyed = {
  case: SweepCase;
  old: Tree;
  new: Tree;
  undone?: Tree;
  points: readonly Point[];
  hidden: number;
};

const changing = [
  'rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,symlink,symlinkat',
  'openat,write,pwrite64,writev,pwritev,copy_file_range,ftruncate,fallocate',
  'chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,fsync,fdatasync',
].join(',');

/** The process stops only at traced calls, which makes it four times as fast. */
const quick = '--seccomp-bpf';

function tracing(file: string): string[] {
  return ['strace', '-f', quick, '-qq', '-y', '-s', '300', '-o', file, '-e', `trace=${changing}`];
}

/** Kills the process as it enters the call; strace can't do that the quick way. */
export function killing({ call, nth }: Point): string[] {
  return injecting(call, `signal=KILL:when=${nth}`);
}

/** Stops the process at the call: it stays alive, and can continue. */
export function stopping({ call, nth }: Point): string[] {
  return injecting(call, `signal=STOP:when=${nth}`);
}

/** Stops the process at every call of the kinds of these points, from the first point of each kind on; `file` says at which. */
export function stoppingFrom(points: readonly Point[], file: string): string[] {
  const calls = [...new Set(points.map(({ call }) => call))];
  const first = (call: string): number =>
    Math.min(...points.filter((point) => point.call === call).map(({ nth }) => nth));
  const traceCommand = [
    'strace',
    '-f',
    '-qq',
    '-y',
    '-s',
    '300',
    '-o',
    file,
    '-e',
    `trace=${calls.join(',')}`,
  ];
  return [
    ...traceCommand,
    ...calls.flatMap((call) => ['-e', `inject=${call}:signal=STOP:when=${first(call)}+`]),
  ];
}

/** Lets the call fail; from then on all of that name, with a plus. */
export function failing({ call, nth }: Point, error: string, plus: '' | '+' = ''): string[] {
  return injecting(call, `error=${error}:when=${nth}${plus}`, [quick]);
}

function injecting(call: string, action: string, options: string[] = []): string[] {
  return [
    'strace',
    '-f',
    ...options,
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    `trace=${call}`,
    '-e',
    `inject=${call}:${action}`,
  ];
}

/** Runs the call once, to its end. `beside` starts the companion in the same workspace. */
export async function survey(
  baseLane: Lane,
  sweepCase: SweepCase,
  startCompanion?: (lane: Lane) => Promise<AsyncDisposable>,
): Promise<Surveyed> {
  const undone = startCompanion === undefined ? await undoBefore(baseLane, sweepCase) : undefined;
  const lane = await layOut(baseLane, sweepCase);
  await using _companion = await startCompanion?.(lane);
  const old = readTree(lane.root);
  const trace = join(lane.prepared, `${sweepCase.name}.trace`);
  const ended = await runIn(lane, { calls: [{ ...sweepCase.call, id: 'it' }] }, tracing(trace));
  const [outcome] = reportOf(ended).outcomes;
  if (outcome?.status !== 'completed') throw new Error(`${sweepCase.name}: ${JSON.stringify(outcome)}`);
  return {
    case: sweepCase,
    old,
    new: readTree(lane.root),
    ...(undone && { undone }),
    ...readTrace(readFileSync(trace, 'utf8'), lane, sweepCase),
  };
}

/** A redo follows an undo, and both concern an earlier call: an undo can reach only changes before that one. */
async function undoBefore(baseLane: Lane, sweepCase: SweepCase): Promise<Tree | undefined> {
  const { history, call } = sweepCase;
  const isUndo = call.tool === 'undo';
  const ownCalls = isUndo ? 1 : call.tool === 'redo' ? 2 : 0;
  if (history.length <= ownCalls) return undefined;
  const lane = await layOut(baseLane, sweepCase);
  const undo = { tool: 'undo', args: { scope: 'workspace' }, id: 'undone', session: 'ann' };
  await start(lane, isUndo ? [{ ...call, id: 'it' }, undo] : [undo]);
  return readTree(lane.root);
}

function readTrace(
  trace: string,
  { folder }: Lane,
  { isCommand }: SweepCase,
): { points: Point[]; hidden: number } {
  // System calls of a command's own processes are not ours.
  const main = /^\d+/.exec(trace)?.[0];
  const seenCalls = new Set<string>();
  const points: Point[] = [];
  let hidden = 0;
  for (const systemCall of callsIn(trace)) {
    // Threads are counted apart: the first that comes so far is the one that is hit.
    const isFirst = !seenCalls.has(`${systemCall.call} ${systemCall.nth}`);
    seenCalls.add(`${systemCall.call} ${systemCall.nth}`);
    if ((isCommand && systemCall.thread !== main) || !isOurs(systemCall, folder)) continue;
    if (isFirst) points.push(pointOf(systemCall));
    else if (!/sync$/.test(systemCall.call)) hidden++;
  }
  return { points: points.filter(isTelling), hidden };
}

/** The call at which the process was stopped last, with its thread; undefined when it is none of ours. */
export function lastCall(
  trace: string,
  { folder }: Lane,
  { isCommand }: SweepCase,
): (Point & { thread: string }) | undefined {
  // A command's child may have been stopped since.
  const who = isCommand ? (/^\d+/.exec(trace)?.[0] ?? '') : '\\d+';
  const stop = [...trace.matchAll(new RegExp(`^(${who}) +--- SIGSTOP`, 'gm'))].at(-1);
  const systemCall = callsIn(trace.slice(0, stop?.index)).findLast(({ thread }) => thread === stop?.[1]);
  return systemCall !== undefined && isOurs(systemCall, folder)
    ? { ...pointOf(systemCall), thread: systemCall.thread }
    : undefined;
}

type Made = { thread: string; call: string; nth: number; args: string; hasFailed: boolean };

function callsIn(trace: string): Made[] {
  const counts = new Map<string, number>();
  return trace.split('\n').flatMap((line) => {
    const [, thread, call, args = '', result] =
      /^(\d+) +(\w+)\((.*)\) += (-?\d+)/.exec(line) ?? unfinished(line);
    if (thread === undefined || call === undefined) return [];
    const nth = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, nth);
    return [{ thread, call, nth, args, hasFailed: result?.startsWith('-') === true }];
  });
}

function pointOf({ call, nth, args }: Made): Point {
  return { call, nth, target: args.slice(0, 120), isLog: /\/home(\/sessions\.|>)/.test(args) };
}

/** Of the writes in one commit of the log only the first and the last: nothing else can change in between. */
function isTelling({ call, isLog }: Point, at: number, points: readonly Point[]): boolean {
  return (
    !isLog ||
    [points[at - 1], points[at + 1]].some((neighbour) => !neighbour?.isLog || neighbour.call !== call)
  );
}

function unfinished(line: string): (string | undefined)[] {
  return /^(\d+) +(\w+)\((.*) <unfinished/.exec(line) ?? [];
}

function isOurs({ call, args, hasFailed }: Made, folder: string): boolean {
  if (hasFailed || (call === 'openat' && !/O_(WRONLY|RDWR|CREAT|TRUNC)/.test(args))) return false;
  if (/write|fallocate|ftruncate|^f|copy/.test(call) && call !== 'fchmodat' && call !== 'fchownat')
    return args.includes(`<${folder}/`);
  return args.includes(`"${folder}/`) || args.includes('"/proc/self/fd/');
}
