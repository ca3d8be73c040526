// The sweep as a list of things to run, each with a name by which it can be run again: kills or faults, all of them or a sample.
import { spawnSync } from 'node:child_process';
import { createRandom } from './random.ts';
import { type Lane, prepare } from './sweep-bench.ts';
import { faultCases, type SweepCase, sweepCases } from './sweep-cases.ts';
import type { Combination, Result } from './sweep-checks.ts';
import { type SweepEvent, sweepEvents } from './sweep-events.ts';
import { type FaultCombination, faultsOf, nameOfFault, runFault } from './sweep-faults.ts';
import { nameOf, runCombination } from './sweep-kill.ts';
import { type Point, type Surveyed, survey } from './sweep-points.ts';

export type Item = {
  name: string;
  target: string;
  /** Runs this one again. */
  command: string;
  run(lane: Lane): Promise<Result>;
};

/** `only` is a name whose parts may be `*`. */
export type Choice = { sample?: number; seed: number; only?: string };

export type Plan = { surveyed: readonly Surveyed[]; items: readonly Item[] };

/** Every lane prepares the cases for itself; the points are found once. */
export async function planKills(lanes: readonly Lane[], choice: Choice, cases = sweepCases): Promise<Plan> {
  const surveys = await surveyIn(lanes, cases, choice);
  const every = surveys.flatMap((survey) =>
    survey.points.flatMap((point) =>
      sweepEvents
        .filter((event) => isPossible(point, event))
        .map((event) => ({ surveyed: survey, point, event })),
    ),
  );
  const combinations =
    choice.sample === undefined
      ? [...every, ...namedPoint(surveys, choice.only)]
      : sampleKills(surveys, choice.sample, choice.seed);
  const items = combinations.map(
    (combination, i): Item => ({
      name: nameOf(combination),
      target: combination.point.target,
      command: `npm run sweep -- --only ${nameOf(combination)}`,
      run: (lane) => runCombination(lane, combination, { hasCli: i % 10 === 0 }),
    }),
  );
  return { surveyed: surveys, items: items.filter(isWanted(choice)) };
}

/** A point that is named is tried also where this survey has counted otherwise. */
function namedPoint(surveys: readonly Surveyed[], only = ''): Combination[] {
  const [name, call = '*', nth = '*', eventName] = only.split('/');
  const survey = surveys.find(({ case: sweepCase }) => sweepCase.name === name);
  const event = sweepEvents.find((candidate) => candidate.name === eventName);
  if (survey === undefined || event === undefined || call === '*' || nth === '*') return [];
  if (survey.points.some((point) => point.call === call && point.nth === Number(nth))) return [];
  return [{ surveyed: survey, event, point: { call, nth: Number(nth), target: 'not seen', isLog: false } }];
}

export async function planFaults(lanes: readonly Lane[], choice: Choice, cases = faultCases): Promise<Plan> {
  const surveys = await surveyIn(lanes, cases, choice);
  const combinations =
    choice.sample === undefined
      ? surveys.flatMap(faultsOf)
      : sampleFaults(surveys, choice.sample, choice.seed);
  const items = combinations.map(
    (combination): Item => ({
      name: nameOfFault(combination),
      target: 'denied' in combination.fault ? combination.fault.denied : combination.fault.point.target,
      command: `npm run sweep -- --faults --only ${nameOfFault(combination)}`,
      run: (lane) => runFault(lane, combination),
    }),
  );
  return { surveyed: surveys, items: items.filter(isWanted(choice)) };
}

async function surveyIn(
  lanes: readonly Lane[],
  cases: readonly SweepCase[],
  { only }: Choice,
): Promise<Surveyed[]> {
  const name = only?.split('/')[0] ?? '*';
  const wantedCases = cases.filter((sweepCase) => name === '*' || name === sweepCase.name);
  const [first] = await Promise.all(
    lanes.map(async (lane, i) => {
      const surveys: Surveyed[] = [];
      for (const sweepCase of wantedCases) {
        await prepare(lane, sweepCase);
        if (i === 0) surveys.push(await survey(lane, sweepCase));
      }
      return surveys;
    }),
  );
  return first ?? [];
}

const isWanted = ({ only }: Choice): ((item: Item) => boolean) => {
  const parts = only?.split('/') ?? [];
  return ({ name }) => name.split('/').every((part, i) => [undefined, '*', part].includes(parts[i]));
};

// A process that is stopped while it writes the log keeps all others from writing it; they wait.
export const isPossible = ({ call, isLog }: Point, { isStopped }: SweepEvent): boolean =>
  !isStopped || (!isLog && !call.endsWith('sync'));

/** Each lap has all cases and all events; the pairs differ from lap to lap. */
function sampleKills(surveys: readonly Surveyed[], size: number, seed: number): Combination[] {
  const random = createRandom(seed);
  const [cases, events] = [surveys.length, sweepEvents.length];
  const [firstCase, firstEvent] = [random.below(cases), random.below(events)];
  return Array.from({ length: size }, (_, i) => {
    const lap = Math.floor(i / Math.max(cases, events));
    const survey = surveys[(firstCase + i + (cases < events ? lap : 0)) % cases];
    const event = sweepEvents[(firstEvent + i + (cases < events ? 0 : lap)) % events];
    if (survey === undefined || event === undefined) throw new Error('nothing to choose from');
    return {
      surveyed: survey,
      point: pick(survey.points.filter((point) => isPossible(point, event))),
      event,
    };
  });

  // Most points belong to the log; points that change the workspace are tried as often.
  function pick(points: readonly Point[]): Point {
    const wantsLog = random.chance(0.25);
    const ofKind = points.filter(({ isLog }) => isLog === wantsLog);
    const from = ofKind.length > 0 ? ofKind : points;
    const point = from[random.below(from.length)];
    if (point === undefined) throw new Error('a call without a point');
    return point;
  }
}

function sampleFaults(surveys: readonly Surveyed[], size: number, seed: number): FaultCombination[] {
  const random = createRandom(seed);
  return Array.from({ length: size }, (_, i) => {
    const survey = surveys[i % surveys.length];
    const wantsLog = random.chance(0.2);
    const from = (survey === undefined ? [] : faultsOf(survey)).filter(
      ({ fault }) => 'denied' in fault || fault.point.isLog === wantsLog,
    );
    const combination = from[random.below(from.length)];
    if (combination === undefined) throw new Error('a call without a point');
    return combination;
  });
}

export const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** Runs items one after the other; returns the faults, each with the command that reproduces it. */
export async function failuresOf(lane: Lane, items: readonly Item[]): Promise<string[]> {
  const failures: string[] = [];
  for (const { command, run } of items)
    for (const { class: kind, text } of (await run(lane)).failures)
      failures.push(`${kind}: ${command}  ${text}`);
  return failures;
}
