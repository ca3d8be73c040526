// One look at the processes of a command: their counters, and which files of the workspace they have open for writing.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Counters, Processes } from './activity.ts';
import { type Ancestor, findAllOfFamily, type Member } from './family.ts';

export type FamilyLooks = { root: string; strangers: Set<number>; openInodes: Set<number> };

const mostOpen = 256;
const accessMode = 0o3;

export function lookAtFamily(ancestor: Ancestor, looks: FamilyLooks, last: Processes = new Map()): Processes {
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
  const each = tasks.map((task) => ranOf(read(`/proc/${pid}/${task}schedstat`)));
  // A thread that has ended meanwhile has no file any more.
  const known = each.filter((one) => one !== undefined);
  if (known.length === 0) return read(`/proc/${pid}/stat`) === undefined ? gone : undefined;
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
  const text = read(`/proc/${pid}/io`);
  const [, chars, calls, pageBytes] =
    /wchar: (\d+)\n.*syscw: (\d+)\n.*\nwrite_bytes: (\d+)/s.exec(text ?? '') ?? [];
  if (chars === undefined) return undefined;
  return { chars: Number(chars), calls: Number(calls), pageBytes: Number(pageBytes) };
}

function noteOpen(pid: number, root: string, openInodes: Set<number>): void {
  for (const fd of list(`/proc/${pid}/fd`).slice(0, mostOpen)) {
    if (!isBelow(root, linkOf(pid, fd))) continue;
    const info = read(`/proc/${pid}/fdinfo/${fd}`) ?? '';
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

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
