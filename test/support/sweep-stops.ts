// One process that is stopped at every point of its call in turn. At each stop a host starts, and must change nothing that the stopped
// process can see: so the process continues as if undisturbed, and one run equals a run for each point.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Begun, begin, type Lane, layOut, start } from './sweep-bench.ts';
import type { SweepCase } from './sweep-cases.ts';
import type { Failure } from './sweep-checks.ts';
import type { SweepEvent } from './sweep-events.ts';
import { makeFresh } from './sweep-owners.ts';
import { isPossible } from './sweep-plan.ts';
import { lastCall, type Point, type Surveyed, stoppingFrom } from './sweep-points.ts';
import { checkEnd, goOn, hasEnded, isWritingLog, stoppedBelow } from './sweep-stopped.ts';
import { describeDifference, isSame, readTree, type Tree } from './sweep-tree.ts';

const longestMs = 600_000;

/** The result of a stop: the point, and its faults. */
export type Stop = { point: Point; failures: Failure[] };

/** The failures are those that showed only when the call had ended. */
export async function stopThroughout(
  baseLane: Lane,
  { surveyed, event }: { surveyed: Surveyed; event: SweepEvent },
): Promise<{ stops: Stop[]; failures: Failure[] }> {
  const lane = await layOut(baseLane, surveyed.case);
  const trace = join(lane.prepared, `${surveyed.case.name}.stops`);
  const isWanted = (point: Point): boolean => isPossible(point, event);
  const wrapper = [...(event.elsewhere ?? []), ...stoppingFrom(surveyed.points.filter(isWanted), trace)];
  const started = begin(lane, { calls: [{ ...surveyed.case.call, id: 'it' }] }, wrapper, longestMs);
  const stops: Stop[] = [];
  for await (const point of stopsOf(started, lane, { sweepCase: surveyed.case, trace }))
    if (isWanted(point)) stops.push({ point, failures: await startBeside(lane, stops.length) });
  return { stops, failures: await checkEnd(lane, surveyed, started.ended) };
}

/**
 * The points at which the process was stopped. Entries of other hosts change the pieces in which the log is written, so a call is
 * identified by its kind and by its position among the calls of that kind, not by its number.
 */
export function reachedPoints(points: readonly Point[], stops: readonly Stop[]): Point[] {
  const remaining = new Map<string, number>();
  for (const { point } of stops) remaining.set(kindOf(point), (remaining.get(kindOf(point)) ?? 0) + 1);
  return points.filter((point) => {
    const count = remaining.get(kindOf(point)) ?? 0;
    remaining.set(kindOf(point), count - 1);
    return count > 0;
  });
}

/** The call and its target, without random names, descriptor numbers and written content. */
function kindOf({ call, target }: Point): string {
  const object = target.replace(/^(\d+<[^>]*>).*$/, '$1');
  return `${call} ${object.replaceAll(/[0-9a-f]{6,}|\d+/g, '#')}`;
}

/** Each point at which it is stopped; it continues when the next one is requested. */
async function* stopsOf(
  started: Begun,
  lane: Lane,
  { sweepCase, trace }: { sweepCase: SweepCase; trace: string },
): AsyncGenerator<Point> {
  let isOver = false;
  const ended = started.ended.finally(() => {
    isOver = true;
  });
  const known = new Set<string>();
  for (;;) {
    const pid = await stoppedBelow(started.pid, () => isOver);
    if (pid === undefined) break;
    const point = isWritingLog(pid, lane.home)
      ? undefined
      : lastCall(readFileSync(trace, 'utf8'), lane, sweepCase);
    const name = point && `${point.thread}/${point.call}/${point.nth}`;
    // A thread that has not gone on yet, or a call that is none of ours.
    if (point !== undefined && name !== undefined && !known.has(name)) {
      known.add(name);
      yield point;
    }
    await goOn(pid, ended, 1);
  }
}

async function startBeside(lane: Lane, number: number): Promise<Failure[]> {
  makeFresh(lane.home);
  const [tree, state] = [readTree(lane.root), stateFiles(lane.home)];
  try {
    const { finished, outcomes, damage } = await start(lane, [
      { tool: 'list_files', args: {}, id: `beside_${number}` },
    ]);
    const isSettled = finished.some(({ callId }) => callId === 'it') && !hasEnded(finished);
    const failed = outcomes.find(({ status }) => status !== 'completed');
    return [
      ...(isSettled ? [{ class: 'alive', text: 'its call was settled although it lives' }] : []),
      ...(failed ? [{ class: 'start', text: JSON.stringify(failed).slice(0, 300) }] : []),
      ...(damage ? [{ class: 'log', text: JSON.stringify(damage) }] : []),
      ...changed('the workspace', tree, readTree(lane.root)),
      ...changed('the state folder', state, stateFiles(lane.home)),
    ];
  } catch (error) {
    return [{ class: 'start', text: error instanceof Error ? error.message : String(error) }];
  }
}

function changed(label: string, before: Tree, after: Tree): Failure[] {
  if (isSame(before, after)) return [];
  return [{ class: 'alive', text: `a start changed ${label}: ${describeDifference(after, before)}` }];
}

/** Journals, quarantine and other stored files: all but the databases, their signal files, heartbeats, and files of its programs. */
function stateFiles(home: string): Tree {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1));
  const comparedPaths = paths
    .filter((path) => !/^(sessions\.|commit\.lock|owners|processes)/.test(path))
    .sort();
  return Object.fromEntries(
    comparedPaths.map((path) => {
      const { ino, size, mtimeNs, mode } = lstatSync(join(home, path), { bigint: true });
      return [path, `${mode} ${ino} ${size} ${mtimeNs}`];
    }),
  );
}
