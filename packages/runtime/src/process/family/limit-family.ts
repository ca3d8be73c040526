// Samples the processes of a sandboxed command and calls back when there are too many, or they use too much memory or processor time.
// In a sandbox no process leaves the tree: one that loses its parent becomes a child of the sandbox's first process.
import { totalmem } from 'node:os';
import { ToolError } from '@codelab/protocol';
import { runInTurns } from '../../platform/steps.ts';
import { hasProc, readProc } from '../../platform/system.ts';
import { diskBytes } from '../../workspace/trees/disk-bytes.ts';
import { type Ancestor, isTracer, pidsSince } from './family.ts';

/** `folder` is the session's folder on the disk, shared with the session's other commands. */
export type FamilyLimits = {
  processes: number;
  memoryBytes: number;
  cpuMs: number;
  tmpBytes: number;
  folder?: string | undefined;
};

/** The limit that was exceeded. */
export type Excess = 'processes' | 'memoryBytes' | 'cpuMs' | 'tmpBytes';

type Usage = Record<Exclude<Excess, 'tmpBytes'>, number>;
/** The process from which all others descend. */
type First = Pick<Ancestor, 'pid' | 'born'>;
type Process = { pid: number; parent: number; name: string; memoryBytes: number; cpuMs: number };

const usualMs = 50;
// With many processes a sample takes long, so samples become rarer: they use at most a twentieth of a processor.
const pausesPerLook = 20;
const longestMs = 1000;
// Measuring the disk takes longer, and a disk fills more slowly than memory.
const diskMs = 2000;

// /proc counts in these units on every Linux that Node runs on. Pages may be larger; then less memory is allowed.
const tickMs = 10;
const pageBytes = 4096;

export function limitFamily(
  first: First,
  limits: FamilyLimits,
  onExcess: (excess: Excess) => void,
  everyMs = usualMs,
): Disposable {
  // A quarter of the memory is left for the rest of the machine.
  const allowed = { ...limits, memoryBytes: Math.min(limits.memoryBytes, 0.75 * totalmem()) };
  let timer: NodeJS.Timeout | undefined;
  const measure = (): void => {
    const startedAt = performance.now();
    const excess = excessOf(first, allowed);
    const cost = performance.now() - startedAt;
    if (excess !== undefined) onExcess(excess);
    else plan(Math.max(everyMs, Math.min(longestMs, pausesPerLook * cost)));
  };
  const plan = (ms: number): void => {
    timer = setTimeout(measure, ms).unref();
  };
  if (hasProc()) plan(everyMs);
  const disk = watchFolder(limits, () => onExcess('tmpBytes'));
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      disk[Symbol.dispose]();
    },
  };
}

function watchFolder({ folder, tmpBytes }: FamilyLimits, onExcess: () => void): Disposable {
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const measure = async (): Promise<void> => {
    const startedAt = performance.now();
    const bytes = await runInTurns(diskBytes(folder ?? ''), { signal: end.signal }).catch(() => 0);
    if (end.signal.aborted) return;
    if (bytes > tmpBytes) onExcess();
    else plan(Math.max(diskMs, pausesPerLook * (performance.now() - startedAt)));
  };
  const plan = (ms: number): void => {
    timer = setTimeout(() => void measure(), ms).unref();
  };
  if (folder !== undefined) plan(diskMs);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      end.abort();
    },
  };
}

function excessOf(first: First, limits: FamilyLimits): Excess | undefined {
  const family = treeOf(first);
  const sum = (measureOf: (member: Process) => number): number =>
    family.reduce((total, member) => total + measureOf(member), 0);
  const usage: Usage = {
    processes: family.filter((member) => !isTracer(member, first)).length,
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
    cpuMs: sum(({ cpuMs }) => cpuMs),
  };
  const exceeded = (['processes', 'cpuMs', 'memoryBytes'] as const).find(
    (limit) => usage[limit] > limits[limit],
  );
  // Memory that processes share was counted for each of them; only now is the exact count worth its time.
  const isShared =
    exceeded === 'memoryBytes' && sum(({ pid: memberPid }) => shareOf(memberPid)) <= limits.memoryBytes;
  return isShared ? undefined : exceeded;
}

function treeOf(first: First): Process[] {
  const children = new Map<number, Process[]>();
  const descendants: Process[] = [];
  for (const pid of pidsSince(first)) {
    const process = lookAt(pid);
    if (process === undefined) continue;
    if (process.pid === first.pid) descendants.push(process);
    const siblings = children.get(process.parent);
    if (siblings === undefined) children.set(process.parent, [process]);
    else siblings.push(process);
  }
  for (const member of descendants) descendants.push(...(children.get(member.pid) ?? []));
  return descendants;
}

// See proc_pid_stat(5). The times include children that the process has waited for.
function lookAt(pid: number): Process | undefined {
  const stat = readProc(`${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
  return {
    pid,
    parent: Number(fields[1]),
    name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    memoryBytes: Number(fields[21]) * pageBytes,
    cpuMs: ticks * tickMs,
  };
}

/** The memory of one process: its own, plus its share of what it shares with others. */
function shareOf(pid: number): number {
  const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(readProc(`${pid}/smaps_rollup`) ?? '') ?? [];
  return kib === undefined ? (lookAt(pid)?.memoryBytes ?? 0) : Number(kib) * 1024;
}

/** Names the limit that an unasked command exceeded, and what to do about it. */
const settings = {
  processes: 'processes',
  memoryBytes: 'memory_mb',
  cpuMs: 'cpu_seconds',
  tmpBytes: 'tmp_mb',
} as const;

export function excessError(excess: Excess, limits: FamilyLimits): ToolError {
  const setting = settings[excess];
  return new ToolError(
    'EXECUTION_FAILED',
    `The command was stopped: it took more than ${amountOf(excess, limits)}, which is the limit for commands that run unasked. Reduce its use, send it with \`requires_approval\`, or raise limits.${setting} in the configuration.`,
    { limit: setting, most: limits[excess] },
  );
}

function amountOf(excess: Excess, limits: FamilyLimits): string {
  switch (excess) {
    case 'processes':
      return `${limits.processes} processes`;
    case 'memoryBytes':
      return `${Math.round(limits.memoryBytes / 1024 / 1024)} MiB of memory`;
    case 'cpuMs':
      return `${limits.cpuMs / 1000} seconds of processor time`;
    case 'tmpBytes':
      return `${Math.round(limits.tmpBytes / 1024 / 1024)} MiB in this session’s /tmp`;
  }
}
