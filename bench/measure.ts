// Repeated runs of several subjects, measured in turns, so that a busy moment of the machine hits all of them.
import { readdirSync, readFileSync } from 'node:fs';
import type { Row } from './row.ts';

/** `ms`: the median of one run. `cpuMs`: the processor time of this process and of the children it waited for, for one run, on average. */
export type Cost = { ms: number; cpuMs: number };

export async function costs(
  subjects: readonly (() => unknown)[],
  rounds: number,
  /** Runs between the rounds, outside the measurement. */
  tidy: () => void = () => undefined,
): Promise<Cost[]> {
  const times: number[][] = subjects.map(() => []);
  const cpu = subjects.map(() => 0);
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const { ms, cpuMs } = await costOf(subject);
      if (round >= 0) {
        times[i]?.push(ms);
        cpu[i] = (cpu[i] ?? 0) + cpuMs;
      }
      tidy();
    }
  }
  return times.map((list, i) => ({ ms: median(list), cpuMs: (cpu[i] ?? 0) / rounds }));
}

/** What `costs` returns of a subject, for runs that were measured one by one. */
export function typical(runs: readonly Cost[]): Cost {
  return {
    ms: median(runs.map(({ ms }) => ms)),
    cpuMs: runs.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / runs.length,
  };
}

/** One run of a subject. */
export async function costOf(subject: () => unknown): Promise<Cost> {
  const children = childrenMs();
  const before = process.cpuUsage();
  const start = performance.now();
  await subject();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 + childrenMs() - children };
}

/** The kernel tells the time of children in steps of 10 ms, which even out over the rounds. */
function childrenMs(): number {
  const fields = statOf('self');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** A row for two subjects of `costs`: ours, then the baseline. */
export function costRow(
  name: string,
  against: string,
  [ours, baseline]: readonly (Cost | undefined)[],
  goal?: number,
): Row {
  const [mine, theirs] = [ours ?? noCost, baseline ?? noCost];
  return {
    name,
    ours: `${mine.ms.toFixed(2)} ms`,
    baseline: `${against} ${theirs.ms.toFixed(2)} ms`,
    ratio: mine.ms / theirs.ms,
    cpuRatio: mine.cpuMs / theirs.cpuMs,
    ...(goal !== undefined && { goal }),
  };
}

const noCost: Cost = { ms: Number.NaN, cpuMs: Number.NaN };

/** The median of one run where each subject is run many times in a row, in a few blocks: caches are as warm as they get. */
export async function costsInARow(
  subjects: readonly (() => unknown)[],
  { runs, blocks }: { runs: number; blocks: number },
): Promise<number[]> {
  const times: number[][] = subjects.map(() => []);
  for (let block = 0; block < blocks; block++)
    for (const [i, subject] of subjects.entries())
      for (let run = 0; run < runs; run++) {
        const start = performance.now();
        await subject();
        times[i]?.push(performance.now() - start);
      }
  return times.map(median);
}

/** Like `costs`, but returns only the medians. */
export async function mediansMs(
  subjects: readonly (() => unknown)[],
  rounds: number,
  tidy?: () => void,
): Promise<number[]> {
  return (await costs(subjects, rounds, tidy)).map(({ ms }) => ms);
}

export function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

/**
 * Processor time so far (in steps of the kernel's clock, 10 ms) and memory of a process and all its descendants. On an older Node the
 * installed command has a second process, which counts.
 */
export function usageOf(pid: number | undefined): { cpuMs: number; residentMb: number } {
  const fields = statOf(`${pid}`);
  // Includes the children that it has waited for.
  const ownMs = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0) * 10;
  const pages = Number(fields[21]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
  const below = children.map((child) => usageOf(Number(child)));
  return {
    cpuMs: below.reduce((sum, { cpuMs }) => sum + cpuMs, ownMs),
    residentMb: below.reduce((sum, { residentMb }) => sum + residentMb, (pages * 4096) / 1e6),
  };
}

/** The processor time of the threads of a process and of its descendants that live now, in nanoseconds; without `isWhole` only the descendants'. */
export function liveCpuNs(pid: number, { isWhole } = { isWhole: true }): number {
  let sum = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${task}`;
    if (isWhole) sum += Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]);
    const children = readFileSync(`${folder}/children`, 'latin1').split(' ').filter(Boolean);
    for (const child of children) sum += liveCpuNs(Number(child));
  }
  return sum;
}

/** The fields of proc_pid_stat(5), from the third on. */
function statOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
