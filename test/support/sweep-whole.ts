// The whole sweep of one case. The call is killed at every point. Two kills with the same state on the disk can't differ from there, so
// each state is saved once, and every event is tried on it from the saved disk. docs/reliability.md explains why this equals killing the
// call once for each event.
import { join } from 'node:path';
import { type Lane, layOut, reportOf, runIn } from './sweep-bench.ts';
import type { Combination, Failure } from './sweep-checks.ts';
import { accompany } from './sweep-companion.ts';
import { loadDisks, saveDisks } from './sweep-disk.ts';
import { type SweepEvent, sweepEvents } from './sweep-events.ts';
import { checkAfter, killAt, nameOf, runCombination } from './sweep-kill.ts';
import { makeFresh } from './sweep-owners.ts';
import { isPossible } from './sweep-plan.ts';
import { type Point, type Surveyed, survey } from './sweep-points.ts';
import type { SweepRecord } from './sweep-record.ts';
import { stateOf } from './sweep-state.ts';
import { reachedPoints, stopThroughout } from './sweep-stops.ts';

const onStates = sweepEvents.filter(({ hasCompanion, isStopped }) => !hasCompanion && !isStopped);
const withCompanion = sweepEvents.filter(({ hasCompanion }) => hasCompanion);
const stopped = sweepEvents.filter(({ isStopped }) => isStopped);

/** A separate process comes first after the kill: once for each kind of event, and wherever its home is elsewhere. */
const isProcessFirst = ({ name, elsewhere }: SweepEvent): boolean =>
  name === 'nothing' || name === 'undo' || elsewhere !== undefined;

/** `run` takes a lane that has disks and a checker. The name is an event, or `killed` for all those that happen after a kill. */
export type Part = {
  name: string;
  run(lane: Lane, surveyed: Surveyed, record: SweepRecord): Promise<void>;
};

export const parts: readonly Part[] = [
  { name: 'killed', run: sweepStates },
  ...withCompanion.map((event) => part(event, sweepWithCompanion)),
  ...stopped.map((event) => part(event, sweepStopped)),
];

function part(event: SweepEvent, sweep: typeof sweepStopped): Part {
  return { name: event.name, run: (lane, surveyed, record) => sweep(lane, surveyed, event, record) };
}

/** One run is stopped at every point in turn. After a fault, each point runs separately, as do points that the run did not reach. */
async function sweepStopped(
  lane: Lane,
  surveyed: Surveyed,
  event: SweepEvent,
  record: SweepRecord,
): Promise<void> {
  const nameAt = (point: Point): string => nameOf({ surveyed, point, event });
  const wantedPoints = surveyed.points.filter(
    (point) => isPossible(point, event) && !record.has(nameAt(point)),
  );
  if (wantedPoints.length === 0) return;
  const { stops, failures } = await stopThroughout(lane, { surveyed, event });
  const wrong = [...stops.flatMap((stop) => stop.failures), ...failures];
  if (wrong.length > 0)
    record.add({
      name: `${surveyed.case.name}/*/*/${event.name}`,
      wasKilled: true,
      events: { [event.name]: wrong },
    });
  const proven = wrong.length === 0 ? reachedPoints(wantedPoints, stops) : [];
  for (const point of proven)
    record.add({ name: nameAt(point), wasKilled: true, events: { [event.name]: [] } });
  for (const point of wantedPoints.filter((candidate) => !proven.includes(candidate))) {
    const combination = { surveyed, point, event };
    const { wasKilled, failures } = await runCombination(lane, combination);
    record.add({
      name: nameAt(point),
      wasKilled,
      events: { [event.name]: await confirmed(lane, combination, failures) },
    });
  }
}

async function sweepStates(baseLane: Lane, surveyed: Surveyed, record: SweepRecord): Promise<void> {
  const known = record.statesOf(surveyed.case.name, 'killed');
  for (const point of surveyed.points) {
    const name = `${surveyed.case.name}/${point.call}/${point.nth}/killed`;
    if (record.has(name)) continue;
    const lane = await layOut(baseLane, surveyed.case);
    const wasKilled = await killAt(lane, { surveyed, point });
    const state = stateOf(lane);
    const events = known.has(state) ? {} : await tryEvents(lane, { surveyed, point }, known.size);
    known.add(state);
    record.add({ name, wasKilled, state, events });
  }
}

async function tryEvents(
  lane: Lane,
  at: { surveyed: Surveyed; point: Point },
  number: number,
): Promise<Record<string, Failure[]>> {
  const image = join(lane.prepared, 'killed');
  const { disks = [] } = lane;
  await saveDisks(disks, image);
  const results: Record<string, Failure[]> = {};
  for (const [i, event] of onStates.entries()) {
    if (i > 0) await loadDisks(disks, image);
    makeFresh(lane.home);
    const combination = { ...at, event };
    const hasCli = i === number % onStates.length;
    const failures = await checkAfter(
      isProcessFirst(event) ? processFirst(lane, event) : lane,
      combination,
      hasCli,
    );
    results[event.name] = await confirmed(lane, combination, failures);
  }
  return results;
}

/** The first start is a separate process, elsewhere if the event says so; the checker makes the following ones. */
function processFirst({ checker, ...lane }: Lane, { elsewhere }: SweepEvent): Lane {
  if (checker === undefined) throw new Error('a lane without a checker');
  let isFirst = true;
  return {
    ...lane,
    checker: {
      ...checker,
      async start(order) {
        if (!isFirst) return await checker.start(order);
        isFirst = false;
        return reportOf(await runIn({ ...lane, folder: order.folder }, order, elsewhere));
      },
    },
  };
}

/** With a companion the call takes other paths through the log, so its points are found again. */
async function sweepWithCompanion(
  baseLane: Lane,
  surveyed: Surveyed,
  event: SweepEvent,
  record: SweepRecord,
): Promise<void> {
  const { points } = await survey(baseLane, surveyed.case, accompany);
  const known = record.statesOf(surveyed.case.name, event.name);
  // Syncing changes nothing: the point after it leaves the same state.
  for (const point of points.filter(({ call }) => !call.endsWith('sync'))) {
    const combination = { surveyed, point, event };
    const name = nameOf(combination);
    if (record.has(name)) continue;
    let state = '';
    let isKnown = false;
    const { wasKilled, failures } = await runCombination(processFirst(baseLane, event), combination, {
      isKnown(lane) {
        state = stateOf(lane);
        isKnown = known.has(state);
        known.add(state);
        return isKnown;
      },
    });
    const isProven = isKnown && failures.length === 0;
    const events = isProven ? {} : { [event.name]: await confirmed(baseLane, combination, failures) };
    record.add({ name, wasKilled, state, events });
  }
}

/** A failure is retried alone, from the kill on, with separate processes: the text says if it did not recur. */
async function confirmed(baseLane: Lane, combination: Combination, failures: Failure[]): Promise<Failure[]> {
  if (failures.length === 0) return failures;
  const { checker: _, companions: __, ...real } = baseLane;
  const secondRun = await runCombination(real, combination);
  if (secondRun.failures.length > 0) return secondRun.failures;
  return failures.map(({ class: name, text }) => ({ class: name, text: `${text} (not when run by itself)` }));
}
