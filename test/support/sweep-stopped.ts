// The owner of a call is not dead but stopped: a start in between must leave its call alone, and it ends like any other.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { begin, type Ended, type Lane, reportOf, start } from './sweep-bench.ts';
import type { Combination, Failure, Result } from './sweep-checks.ts';
import { type Surveyed, stopping } from './sweep-points.ts';
import { describeDifference, isSame, isTemp, readTree } from './sweep-tree.ts';

export async function runStopped(lane: Lane, { surveyed, point, event }: Combination): Promise<Result> {
  const failures: Failure[] = [];
  const fail = (name: string, text: string): void => void failures.push({ class: name, text });
  const wrapper = [...(event.elsewhere ?? []), ...stopping(point)];
  const started = begin(lane, { calls: [{ ...surveyed.case.call, id: 'it' }] }, wrapper);
  let isOver = false;
  const ended = started.ended.finally(() => {
    isOver = true;
  });
  const pid = await stoppedBelow(started.pid, () => isOver);
  if (pid !== undefined && isWritingLog(pid, lane.home)) {
    await goOn(pid, ended);
    return { wasKilled: false, failures: await checkEnd(lane, surveyed, ended) };
  }
  try {
    const first = await start(lane, [{ tool: 'list_files', args: {}, id: 'first' }]);
    const isSettled = pid !== undefined && first.finished.some(({ callId }) => callId === 'it');
    if (isSettled && first.outcomes.length > 0 && !hasEnded(first.finished))
      fail('alive', 'its call was settled although it lives');
    if (pid !== undefined) await goOn(pid, ended);
    failures.push(...(await checkEnd(lane, surveyed, ended)));
  } catch (error) {
    fail('start', error instanceof Error ? error.message : String(error));
    if (pid !== undefined) await goOn(pid, ended);
    await ended;
  }
  return { wasKilled: pid !== undefined, failures };
}

/** The laws when the call has run to its end. */
export async function checkEnd(
  lane: Lane,
  { old, new: later }: Surveyed,
  ended: Promise<Ended>,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const fail = (name: string, text: string): void => void failures.push({ class: name, text });
  try {
    const [outcome] = reportOf(await ended).outcomes;
    const second = await start(lane, [{ tool: 'list_files', args: {}, id: 'second' }]);
    const tree = readTree(lane.root);
    const expected = outcome?.status === 'completed' ? later : old;
    if (!isSame(tree, expected)) fail('mixture', `${outcome?.status}: ${describeDifference(tree, expected)}`);
    if (Object.keys(tree).some(isTemp)) fail('temp', 'left in the workspace');
    const count = second.finished.filter(({ callId }) => callId === 'it').length;
    if (count !== 1) fail('twice', `${count} outcomes of one call`);
    if (second.damage !== undefined) fail('log', JSON.stringify(second.damage));
  } catch (error) {
    fail('start', error instanceof Error ? error.message : String(error));
  }
  return failures;
}

/** Continues it, to its end by default: threads are counted separately, so another one may stop it again. */
export async function goOn(pid: number, ended: Promise<unknown>, times = Infinity): Promise<void> {
  let isOver = false;
  const finished = ended.finally(() => {
    isOver = true;
  });
  for (let i = 0; i < times && !isOver; i++) {
    send(pid, 'SIGCONT');
    for (const child of descendantsOf(pid)) send(child, 'SIGCONT');
    if (i + 1 < times) await Promise.race([finished, wait(50)]);
  }
}

function send(pid: number, signal: 'SIGCONT'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** The process may have been stopped after its outcome was recorded. */
export function hasEnded(finished: readonly { callId: string; status: string }[]): boolean {
  return finished.some(({ callId, status }) => callId === 'it' && status === 'completed');
}

/** The stopped process; undefined when it ended instead. A tracer stops one thread at every call, a signal all of them. */
export async function stoppedBelow(parentPid: number, isOver: () => boolean): Promise<number | undefined> {
  let pid: number | undefined;
  while (!isOver()) {
    await wait(5);
    pid ??= programBelow(parentPid);
    if (pid === undefined) continue;
    if (isStill(pid)) return pid;
    // Its descendants are counted as well, but must continue.
    for (const child of descendantsOf(pid)) send(child, 'SIGCONT');
  }
  return undefined;
}

/** The started program, behind the tracer and its wrappers. */
function programBelow(parentPid: number): number | undefined {
  const children = childrenOf(parentPid);
  const isProgram = (pid: number): boolean =>
    read(`/proc/${pid}/cmdline`).startsWith(`${process.execPath}\0`);
  return children.find(isProgram) ?? children.map(programBelow).find((pid) => pid !== undefined);
}

/** All descendants of the process. */
function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function isStill(pid: number): boolean {
  const threads = threadsOf(pid);
  // A host that works has more than one.
  return (
    threads.length > 1 && threads.every((thread) => /\) [tT]/.test(read(`/proc/${pid}/task/${thread}/stat`)))
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Everybody else waits then. Calls are counted otherwise now and then, so a point beside it may be meant. */
export function isWritingLog(pid: number, home: string): boolean {
  const inodes = ['sessions.db', 'sessions.db-shm'].map((name) => inodeOf(join(home, name)));
  return read('/proc/locks')
    .split('\n')
    .map((line) => line.split(/\s+/))
    .some(([, , , access, owner, file = '']) => {
      const isIts = access === 'WRITE' && owner === String(pid);
      return isIts && inodes.includes(file.split(':')[2]);
    });
}

function inodeOf(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino.toString();
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
