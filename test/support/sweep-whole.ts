// The whole sweep of one case. The call is killed at every point. Two kills that leave the same state on the disk can't go differently
// from there, so each state is saved once, and every event is tried on it from the saved disk. docs/reliability.md says why that is
// as good as killing the call once for each event.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type Lane, layOut, reportOf, runIn } from './sweep-bench.ts';
import type { Combination, Failure } from './sweep-checks.ts';
import { loadDisks, saveDisks } from './sweep-disk.ts';
import { accompany, type SweepEvent, sweepEvents } from './sweep-events.ts';
import { checkAfter, killAt, nameOf, runCombination } from './sweep-kill.ts';
import { fits } from './sweep-plan.ts';
import { type Point, type Surveyed, survey } from './sweep-points.ts';
import type { SweepRecord } from './sweep-record.ts';
import { stateOf } from './sweep-state.ts';

const onStates = sweepEvents.filter(({ hasCompanion, isStopped }) => !hasCompanion && !isStopped);
const withCompanion = sweepEvents.filter(({ hasCompanion }) => hasCompanion);
const stopped = sweepEvents.filter(({ isStopped }) => isStopped);

/** What comes first after the kill is a process of its own: once for each kind of event, and wherever it is not at home. */
const isProcessFirst = ({ name, elsewhere }: SweepEvent): boolean =>
  name === 'nothing' || name === 'undo' || elsewhere !== undefined;

export type Part = (lane: Lane, surveyed: Surveyed, record: SweepRecord) => Promise<void>;

/** Each takes a lane that has disks and a checker. */
export const parts: readonly Part[] = [sweepStates, sweepWithCompanion, sweepStopped];

async function sweepStopped(lane: Lane, surveyed: Surveyed, record: SweepRecord): Promise<void> {
  for (const event of stopped)
    for (const point of surveyed.points.filter((one) => fits(one, event))) {
      const one = { surveyed, point, event };
      if (record.has(nameOf(one))) continue;
      const { wasKilled, failures } = await runCombination(lane, one);
      record.add({
        name: nameOf(one),
        wasKilled,
        events: { [event.name]: await confirmed(lane, one, failures) },
      });
    }
}

async function sweepStates(given: Lane, surveyed: Surveyed, record: SweepRecord): Promise<void> {
  const known = record.statesOf(surveyed.case.name, 'killed');
  for (const point of surveyed.points) {
    const name = `${surveyed.case.name}/${point.call}/${point.nth}/killed`;
    if (record.has(name)) continue;
    const lane = await layOut(given, surveyed.case);
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
    const one = { ...at, event };
    const hasCli = i === number % onStates.length;
    const failures = await checkAfter(isProcessFirst(event) ? processFirst(lane, event) : lane, one, hasCli);
    results[event.name] = await confirmed(lane, one, failures);
  }
  return results;
}

/** The first start is that of a process, elsewhere if the event says so; the checker makes those that follow. */
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

/** With somebody else at work the call takes other ways through the log, so its points are found anew. */
async function sweepWithCompanion(lane: Lane, surveyed: Surveyed, record: SweepRecord): Promise<void> {
  const { points } = await survey(lane, surveyed.case, accompany);
  // Syncing changes nothing: the point after it leaves the same state.
  const changing = points.filter(({ call }) => !call.endsWith('sync'));
  for (const event of withCompanion)
    await sweepBeside(lane, { ...surveyed, points: changing }, event, record);
}

async function sweepBeside(
  given: Lane,
  surveyed: Surveyed,
  event: SweepEvent,
  record: SweepRecord,
): Promise<void> {
  const known = record.statesOf(surveyed.case.name, event.name);
  for (const point of surveyed.points) {
    const one = { surveyed, point, event };
    if (record.has(nameOf(one))) continue;
    let state: string | undefined;
    let isKnown = false;
    const { wasKilled, failures } = await runCombination(processFirst(given, event), one, {
      isKnown(lane) {
        state = stateOf(lane);
        isKnown = known.has(state);
        known.add(state);
        return isKnown;
      },
    });
    const events = isKnown && failures.length === 0 ? {} : { [event.name]: failures };
    record.add({ name: nameOf(one), wasKilled, ...(state !== undefined && { state }), events });
  }
}

/** A failure is tried once more by itself, from the kill on, with processes of its own: the text says if it did not come again. */
async function confirmed(given: Lane, one: Combination, failures: Failure[]): Promise<Failure[]> {
  if (failures.length === 0) return failures;
  const { checker: _, ...real } = given;
  const again = await runCombination(real, one);
  if (again.failures.length > 0) return again.failures;
  return failures.map(({ class: name, text }) => ({ class: name, text: `${text} (not when run by itself)` }));
}

/** The heartbeat of a process that was killed a moment ago, however long the state has been saved. */
function makeFresh(home: string): void {
  const folder = join(home, 'owners');
  const now = new Date();
  try {
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), now, now);
  } catch {
    // It had none yet.
  }
}
