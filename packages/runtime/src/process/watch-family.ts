// Looks at the processes of a command again and again while it runs, so that it is known afterwards when it did something.

import { readdirSync, readlinkSync } from 'node:fs';
import { hasProc, readProc } from '../platform/system.ts';
import { type Ancestor, findAllOfFamily, type Member } from './family.ts';

/** Begins with the time before the command starts; `end` is called when all of it has ended. */
type FamilyWatch = Disposable & { follow(family: Ancestor): void; end(): Activity };

// Most commands have ended before the first look.
const firstMs = 20;
const atFirstMs = 1000;
const laterMs = 50;
// Where a family is large a look takes long, so there are fewer: at most a twentieth of a processor is spent on them.
const pausesPerLook = 20;
const longestMs = 500;
const mostSpans = 50_000;
/** Where processes can't be looked at, so short a run counts as one piece of work. */
const shortMs = 100;
const everything = { did: 'something', bytes: Number.POSITIVE_INFINITY } as const;

export function watchFamily(root: string): FamilyWatch {
  const looks: FamilyLooks = { root, strangers: new Set(), openInodes: new Set() };
  const startedAt = now();
  let spans: Span[] = [];
  let last: { at: Moment; processes: Processes | undefined } = { at: startedAt, processes: undefined };
  let isClockSteady = true;
  let timer: NodeJS.Timeout | undefined;
  let lastCost = 0;

  function add(span: Span, at: Moment): void {
    isClockSteady &&= !wentBack(last.at, at);
    const latest = spans.at(-1);
    if (latest?.did === 'nothing' && span.did === 'nothing') latest.to = span.to;
    else spans.push(span);
    if (spans.length > mostSpans) spans = coarser(spans);
  }

  function look(family: Ancestor): void {
    const at = now();
    const before = process.threadCpuUsage();
    const processes = lookAtFamily(family, looks, last.processes);
    const { user, system } = process.threadCpuUsage(before);
    const done = now();
    // What has ended before the first look is not known, unless it is the first itself that has waited for it.
    const known = last.processes ?? (processes.has(family.pid) ? new Map() : undefined);
    const did = known === undefined ? everything : spanBetween(known, processes);
    add({ from: last.at.wall, to: done.laterWall, ...did }, at);
    last = { at, processes };
    const usual = at.steady - startedAt.steady < atFirstMs ? firstMs : laterMs;
    const cost = (user + system) / 1000;
    // The first look is slow because the code is new; one slow look means nothing.
    plan(family, Math.min(longestMs, Math.max(usual, pausesPerLook * Math.min(cost, lastCost))));
    lastCost = cost;
  }

  function plan(family: Ancestor, ms: number): void {
    timer = setTimeout(look, ms, family).unref();
  }

  return {
    follow(family) {
      if (hasProc()) plan(family, firstMs);
    },
    end() {
      clearTimeout(timer);
      const at = now();
      const isKnown = hasProc() || at.steady - startedAt.steady < shortMs;
      const did = isKnown ? everything : ({ ...everything, did: 'unknown' } as const);
      add({ from: last.at.wall, to: at.laterWall, ...did }, at);
      return { spans, isClockSteady, openInodes: looks.openInodes };
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** The wall clock, read before and after the steady one: anything may happen in between. */
type Moment = { wall: number; steady: number; laterWall: number };

function now(): Moment {
  return { wall: Date.now(), steady: performance.now(), laterWall: Date.now() };
}

// Forward does no harm: times of files are still in the order of what happened.
function wentBack(before: Moment, after: Moment): boolean {
  const grainMs = 2;
  return after.laterWall - after.steady < before.wall - before.steady - grainMs;
}

// What a command with everything it started did, stretch by stretch of wall-clock time, as told by the counters of its processes.

/** `bytes` is how much could have been written at most; `unknown` when the processes could not be looked at. */
export type Span = { from: number; to: number; did: 'nothing' | 'something' | 'unknown'; bytes: number };

export type Activity = {
  /** In order, without gaps, from before the start until after the end. */
  spans: readonly Span[];
  /** Whether the clock never went back meanwhile: otherwise a time of a file may stand for two moments. */
  isClockSteady: boolean;
  /** Files of the workspace that were seen open for writing. */
  openInodes: ReadonlySet<number>;
};

/** What a process has done so far. `io` is missing where others may not read it. */
export type Counters = {
  isRunning: boolean;
  /** Grows whenever it is on a processor. */
  ran: number;
  io: { chars: number; calls: number; pageBytes: number } | undefined;
};

/** Undefined for a process that can't be looked at. */
export type Processes = ReadonlyMap<number, Counters | undefined>;

export function spanBetween(before: Processes, after: Processes): Pick<Span, 'did' | 'bytes'> {
  if ([...before.values(), ...after.values()].includes(undefined))
    return { did: 'unknown', bytes: Number.POSITIVE_INFINITY };
  // What it did after the last look went with it.
  const hasEnded = [...before.keys()].some((pid) => !after.has(pid));
  if (hasEnded) return { did: 'something', bytes: Number.POSITIVE_INFINITY };
  let bytes = 0;
  let isActive = false;
  for (const [pid, now] of after) {
    const then = before.get(pid);
    if (now === undefined) continue;
    isActive ||= then === undefined || then.isRunning || now.isRunning || then.ran !== now.ran;
    bytes += writtenBetween(then, now);
  }
  return { did: isActive || bytes > 0 ? 'something' : 'nothing', bytes };
}

const pageBytes = 4096;

// What `write` and its like were given, and pages made dirty by other ways, such as a mapped file. A small write makes a whole page
// dirty, which is not more than it was given.
function writtenBetween(then: Counters | undefined, { io }: Counters): number {
  if (io === undefined || (then !== undefined && then.io === undefined)) return Number.POSITIVE_INFINITY;
  const old = then?.io ?? { chars: 0, calls: 0, pageBytes: 0 };
  const chars = Math.max(0, io.chars - old.chars);
  const explained = chars + (io.calls - old.calls) * pageBytes;
  return chars + Math.max(0, io.pageBytes - old.pageBytes - explained);
}

/** Half as many, each as long as two, so that a command of hours needs no more memory. */
export function coarser(spans: readonly Span[]): Span[] {
  const halved: Span[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const [first, second = first] = spans.slice(i, i + 2);
    if (first === undefined || second === undefined) break;
    const both = [first.did, second.did];
    const did = both.includes('something') ? 'something' : both.includes('unknown') ? 'unknown' : 'nothing';
    const bytes = second === first ? first.bytes : first.bytes + second.bytes;
    halved.push({ from: first.from, to: second.to, did, bytes });
  }
  return halved;
}

/** One look at the processes of a command: their counters, and which files of the workspace they have open for writing. */
type FamilyLooks = { root: string; strangers: Set<number>; openInodes: Set<number> };

const mostOpen = 256;
const accessMode = 0o3;

function lookAtFamily(ancestor: Ancestor, looks: FamilyLooks, last: Processes = new Map()): Processes {
  try {
    const members = findAllOfFamily(ancestor, looks.strangers);
    return new Map(members.map((member) => [member.pid, countersOf(member, looks, last.get(member.pid))]));
  } catch {
    // No descriptor left, for example: nobody can say what it does now.
    return new Map([[ancestor.pid, undefined]]);
  }
}

function countersOf(
  { pid, state, threads }: Member,
  { root, openInodes }: FamilyLooks,
  last: Counters | undefined,
): Counters | undefined {
  const tasks = threads > 1 ? list(`/proc/${pid}/task`).map((task) => `task/${task}/`) : [''];
  const each = tasks.map((task) => ranOf(readProc(`${pid}/${task}schedstat`)));
  // A thread that has ended meanwhile has no file any more.
  const known = each.filter((one) => one !== undefined);
  if (known.length === 0) return readProc(`${pid}/stat`) === undefined ? gone : undefined;
  // Waiting for a disk, it is in the middle of something.
  const isRunning = state === 'R' || state === 'D';
  const ran = known.reduce((sum, one) => sum + one, known.length);
  // Who was not on a processor has neither written nor opened anything.
  if (last !== undefined && !isRunning && !last.isRunning && last.ran === ran) return last;
  noteOpen(pid, root, openInodes);
  return { isRunning, ran, io: ioOf(pid) };
}

// It has ended in the middle of the look.
const gone: Counters = { isRunning: true, ran: 0, io: undefined };

// Nanoseconds on a processor, waiting for one, and how often it was given one.
function ranOf(schedstat: string | undefined): number | undefined {
  if (schedstat === undefined) return undefined;
  const [nanoseconds, , times] = schedstat.split(' ').map(Number);
  return (nanoseconds ?? 0) + (times ?? 0);
}

// It counts in all its threads, and the children it has waited for.
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
