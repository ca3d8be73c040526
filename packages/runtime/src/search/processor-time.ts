// Processor time of a process and its threads; where the system does not report it, the time since the start.
import { readdirSync, readFileSync } from 'node:fs';
import { hasProc } from '../platform/system.ts';

export function processorMs(pid: number | undefined, startedAt: number): number {
  if (!hasProc()) return performance.now() - startedAt;
  try {
    const tasks = `/proc/${pid}/task`;
    const used = readdirSync(tasks).map((task) =>
      Number.parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'latin1'), 10),
    );
    return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return performance.now() - startedAt;
  }
}
