// Samples the processes of a command while it runs, so that afterwards it is known when the command did something.

import { readdirSync, readlinkSync } from 'node:fs';
import { hasProc, readProc } from '../../platform/system.ts';
import {
  type Activity,
  type ActivitySpan,
  type Counters,
  halveSpans,
  type ProcessCounters,
  spanBetween,
} from './activity.ts';
import { type Ancestor, type FamilyProcess, findAllOfFamily, isTracer } from './family.ts';

/** Begins before the command starts; call `end` when all its processes have ended. */
type FamilyWatch = Disposable & { follow(family: Ancestor): void; end(): Activity };

// Most commands have ended before the first sample.
const firstMs = 20;
const atFirstMs = 1000;
const laterMs = 50;
// With a large family a sample takes long, so samples become rarer: they use at most a twentieth of a processor.
const pausesPerLook = 20;
const longestMs = 500;
const mostSpans = 50_000;
/** Where processes cannot be inspected, a run this short counts as one span. */
const shortMs = 100;
const everything = { did: 'something', bytes: Number.POSITIVE_INFINITY } as const;

/** Receives each span as soon as it is known. */
export type NoteSpan = (span: ActivitySpan, openInodes: ReadonlySet<number>) => void;

export function watchFamily(root: string, note?: NoteSpan): FamilyWatch {
  const watchState: FamilyLooks = { root, strangers: new Set(), openInodes: new Set() };
  const startedAt = now();
  let spans: ActivitySpan[] = [];
  let last: { at: Moment; processes: ProcessCounters | undefined } = { at: startedAt, processes: undefined };
  let isClockSteady = true;
  let timer: NodeJS.Timeout | undefined;
  let lastCost = 0;

  function add(span: ActivitySpan, at: Moment): void {
    isClockSteady &&= !wentBack(last.at, at);
    note?.(span, watchState.openInodes);
    const latest = spans.at(-1);
    if (latest?.did === 'nothing' && span.did === 'nothing') latest.to = span.to;
    else spans.push(span);
    if (spans.length > mostSpans) spans = halveSpans(spans);
  }

  function takeSample(family: Ancestor): void {
    const at = now();
    const before = process.threadCpuUsage();
    const processes = lookAtFamily(family, watchState, last.processes);
    const { user, system } = process.threadCpuUsage(before);
    const sampledAt = now();
    // A process that ended before the first sample is unknown, unless the first process itself waited for it.
    const lastProcesses = last.processes ?? (processes.has(family.pid) ? new Map() : undefined);
    const activity = lastProcesses === undefined ? everything : spanBetween(lastProcesses, processes);
    add({ from: last.at.wall, to: sampledAt.laterWall, ...activity }, at);
    last = { at, processes };
    const cost = (user + system) / 1000;
    // The first sample is slow because its code is not compiled yet, so the lower of two costs counts.
    plan(family, pauseAfter(at.steady - startedAt.steady, Math.min(cost, lastCost)));
    lastCost = cost;
  }

  function plan(family: Ancestor, ms: number): void {
    timer = setTimeout(takeSample, ms, family).unref();
  }

  return {
    follow(family) {
      if (hasProc()) plan(family, firstMs);
    },
    end() {
      clearTimeout(timer);
      const at = now();
      const isKnown = hasProc() || at.steady - startedAt.steady < shortMs;
      const activity = isKnown ? everything : ({ ...everything, did: 'unknown' } as const);
      add({ from: last.at.wall, to: at.laterWall, ...activity }, at);
      return { spans, isClockSteady, openInodes: watchState.openInodes };
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function pauseAfter(runningMs: number, costMs: number): number {
  const usual = runningMs < atFirstMs ? firstMs : laterMs;
  return Math.min(longestMs, Math.max(usual, pausesPerLook * costMs));
}

/** The wall clock read before and after the steady clock, because the process may be paused between the reads. */
type Moment = { wall: number; steady: number; laterWall: number };

function now(): Moment {
  return { wall: Date.now(), steady: performance.now(), laterWall: Date.now() };
}

// A clock set forward does no harm: file times keep their order.
function wentBack(before: Moment, after: Moment): boolean {
  const grainMs = 2;
  return after.laterWall - after.steady < before.wall - before.steady - grainMs;
}

// One sample of a command's processes: their counters, and the workspace files they have open for writing.

type FamilyLooks = { root: string; strangers: Set<number>; openInodes: Set<number> };

const mostOpen = 256;
const accessMode = 0o3;

function lookAtFamily(
  ancestor: Ancestor,
  watchState: FamilyLooks,
  last: ProcessCounters = new Map(),
): ProcessCounters {
  try {
    const members = findAllOfFamily(ancestor, watchState.strangers);
    return new Map(
      members.map((member) => [
        member.pid,
        isTracer(member, ancestor) ? idle : countersOf(member, watchState, last.get(member.pid)),
      ]),
    );
  } catch {
    // Reading failed, for example without free descriptors: what the process does now is unknown.
    return new Map([[ancestor.pid, undefined]]);
  }
}

function countersOf(
  { pid, state, threads }: FamilyProcess,
  { root, openInodes }: FamilyLooks,
  last: Counters | undefined,
): Counters | undefined {
  const tasks = threads > 1 ? list(`/proc/${pid}/task`).map((task) => `task/${task}/`) : [''];
  const each = tasks.map((task) => ranOf(readProc(`${pid}/${task}schedstat`)));
  // A thread that has ended meanwhile has no file any more.
  const times = each.filter((ran) => ran !== undefined);
  if (times.length === 0) return readProc(`${pid}/stat`) === undefined ? endedCounters : undefined;
  // A process that waits for a disk is in the middle of an operation.
  const isRunning = state === 'R' || state === 'D';
  const ran = times.reduce((sum, threadRan) => sum + threadRan, times.length);
  // A process that was not on a processor has neither written nor opened anything.
  if (last !== undefined && !isRunning && !last.isRunning && last.ran === ran) return last;
  noteOpen(pid, root, openInodes);
  return { isRunning, ran, io: ioOf(pid) };
}

// Writes of the tracer are not the command's.
const idle: Counters = { isRunning: false, ran: 0, io: { chars: 0, calls: 0, pageBytes: 0 } };

// Represents a process that ended during the sample.
const endedCounters: Counters = { isRunning: true, ran: 0, io: undefined };

// The fields are nanoseconds on a processor, nanoseconds waiting for one, and the number of time slices.
function ranOf(schedstat: string | undefined): number | undefined {
  if (schedstat === undefined) return undefined;
  const [nanoseconds, , times] = schedstat.split(' ').map(Number);
  return (nanoseconds ?? 0) + (times ?? 0);
}

// /proc/PID/io counts all threads of the process and the children that it has waited for.
function ioOf(pid: number): Counters['io'] {
  const text = readProc(`${pid}/io`);
  const [, chars, calls, pageBytes] =
    /wchar: (\d+)\n.*syscw: (\d+)\n.*\nwrite_bytes: (\d+)/s.exec(text ?? '') ?? [];
  if (chars === undefined) return undefined;
  return { chars: Number(chars), calls: Number(calls), pageBytes: Number(pageBytes) };
}

function noteOpen(pid: number, root: string, openInodes: Set<number>): void {
  for (const fd of list(`/proc/${pid}/fd`).slice(0, mostOpen)) {
    if (!isBelow(root, linkOf(pid, fd))) continue;
    const info = readProc(`${pid}/fdinfo/${fd}`) ?? '';
    const [, flags] = /^flags:\s*(\d+)$/m.exec(info) ?? [];
    const [, inode] = /^ino:\s*(\d+)$/m.exec(info) ?? [];
    const isWritable = flags !== undefined && (Number.parseInt(flags, 8) & accessMode) !== 0;
    if (isWritable && inode !== undefined) openInodes.add(Number(inode));
  }
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(`${root}/`);
}

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
