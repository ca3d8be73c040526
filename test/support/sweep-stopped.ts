// The owner of a call is not dead but stopped: a start in between must leave its call alone, and it ends like any other.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { begin, type Lane, reportOf, start } from './sweep-bench.ts';
import type { Combination, Failure, Result } from './sweep-checks.ts';
import { stopping } from './sweep-points.ts';
import { describeDifference, isSame, isTemp, readTree } from './sweep-tree.ts';

export async function runStopped(lane: Lane, { surveyed, point, event }: Combination): Promise<Result> {
  const failures: Failure[] = [];
  const fail = (name: string, text: string): void => void failures.push({ class: name, text });
  const wrapper = [...(event.elsewhere ?? []), ...stopping(point)];
  const begun = begin(lane, { calls: [{ ...surveyed.case.call, id: 'it' }] }, wrapper);
  let isOver = false;
  const ended = begun.ended.finally(() => {
    isOver = true;
  });
  const pid = await stoppedIn(lane, () => isOver);
  try {
    const look = { tool: 'list_files', args: {} };
    const first = await start(lane, [{ ...look, id: 'first' }]);
    const isSettled = pid !== undefined && first.finished.some(({ callId }) => callId === 'it');
    if (isSettled && first.outcomes.length > 0 && !hasEnded(first.finished))
      fail('alive', 'its call was settled although it lives');
    if (pid !== undefined) await goOn(pid, () => isOver);
    const [outcome] = reportOf(await ended).outcomes;
    const second = await start(lane, [{ ...look, id: 'second' }]);
    const tree = readTree(lane.root);
    const wanted = outcome?.status === 'completed' ? surveyed.new : surveyed.old;
    if (!isSame(tree, wanted)) fail('mixture', `${outcome?.status}: ${describeDifference(tree, wanted)}`);
    if (Object.keys(tree).some(isTemp)) fail('temp', 'left in the workspace');
    const count = second.finished.filter(({ callId }) => callId === 'it').length;
    if (count !== 1) fail('twice', `${count} outcomes of one call`);
    if (second.damage !== undefined) fail('log', JSON.stringify(second.damage));
  } catch (error) {
    fail('start', error instanceof Error ? error.message : String(error));
    if (pid !== undefined) await goOn(pid, () => isOver);
    await ended;
  }
  return { wasKilled: pid !== undefined, failures };
}

/** Threads are counted apart, so another one may stop it again. */
async function goOn(pid: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It has just ended.
    }
    await wait(50);
  }
}

/** It may have been stopped after its outcome was recorded. */
function hasEnded(finished: readonly { callId: string; status: string }[]): boolean {
  return finished.some(({ callId, status }) => callId === 'it' && status === 'completed');
}

/** The process that stands still; undefined when it ended instead. A tracer lets it stand for moments at every call, too. */
async function stoppedIn(lane: Lane, isOver: () => boolean): Promise<number | undefined> {
  let still = 0;
  let before: number | undefined;
  while (!isOver()) {
    await wait(15);
    const pid = programIn(lane.folder);
    still = pid !== undefined && pid === before && stateOf(pid) === 't' ? still + 1 : 0;
    before = pid;
    if (still === 8) return pid;
  }
  return undefined;
}

function programIn(folder: string): number | undefined {
  const isOurs = (pid: string): boolean => {
    const [program = '', , order = ''] = read(`/proc/${pid}/cmdline`).split('\0');
    return program === process.execPath && order.includes(JSON.stringify(folder)) && order.includes('"it"');
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number)[0];
}

function stateOf(pid: number): string {
  return read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .slice(0, 1)
    .toLowerCase();
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
