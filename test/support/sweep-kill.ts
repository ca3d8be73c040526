// One combination: a call is killed at one point, an event happens, then two starts follow. Reports the faults afterwards.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { codelabProgram } from './codelab-program.ts';
import { createRandom } from './random.ts';
import { keysOf, type Lane, layOut, runIn, start } from './sweep-bench.ts';
import {
  type Combination,
  checkClock,
  checkRepeat,
  checkSettled,
  checkTree,
  type Failure,
  type Result,
  type Seen,
} from './sweep-checks.ts';
import { accompany } from './sweep-companion.ts';
import { killing } from './sweep-points.ts';
import { runStopped } from './sweep-stopped.ts';
import {
  changedIdentities,
  describeDifference,
  isSame,
  isTemp,
  readIdentities,
  readTree,
  readTreeApart,
  without,
} from './sweep-tree.ts';

export function nameOf({ surveyed, point, event }: Combination): string {
  return `${surveyed.case.name}/${point.call}/${point.nth}/${event.name}`;
}

export type Options = {
  /** Whether the built program runs as well. */
  hasCli?: boolean;
  /** Called after the kill: a state that is known to end well need not be checked again. */
  isKnown?(lane: Lane): boolean;
};

export async function runCombination(
  baseLane: Lane,
  combination: Combination,
  options: Options = {},
): Promise<Result> {
  const { surveyed, event } = combination;
  const lane = await layOut(baseLane, surveyed.case);
  if (event.isStopped) return await runStopped(lane, combination);
  await using companion = event.hasCompanion ? await accompany(lane) : undefined;
  const failures: Failure[] = [];
  const writeBeside = async (): Promise<void> => {
    const status = (await companion?.write()) ?? '"completed"';
    if (status !== '"completed"')
      failures.push({ class: 'companion', text: `somebody else’s write: ${status}` });
  };
  await writeBeside();
  const wasKilled = await killAt(lane, combination, event.elsewhere);
  if (options.isKnown?.(lane)) return { wasKilled, failures };
  await writeBeside();
  failures.push(...(await checkAfter(lane, combination, options.hasCli)));
  await writeBeside();
  return { wasKilled, failures };
}

/** Returns whether the point was reached. */
export async function killAt(
  lane: Lane,
  { surveyed, point }: Pick<Combination, 'surveyed' | 'point'>,
  otherWrapper: readonly string[] = [],
): Promise<boolean> {
  const calls = [{ ...surveyed.case.call, id: 'it' }];
  const { status, signal } = await runIn(lane, { calls }, [...otherWrapper, ...killing(point)]);
  return status === 137 || signal === 'SIGKILL';
}

/** Applies the event to the state after the kill, and starts twice. */
export async function checkAfter(lane: Lane, combination: Combination, hasCli = false): Promise<Failure[]> {
  const { surveyed, event } = combination;
  const failures: Failure[] = [];
  const before = readTree(lane.root);
  const idsBefore = readIdentities(lane.root);
  try {
    await event.happen?.({ lane, surveyed, pick: createRandom(seedOf(nameOf(combination))).below });
    const remade = changedIdentities(idsBefore, readIdentities(lane.root));
    const seen = { ...(await twoStarts(lane, combination, before)), remade };
    failures.push(...checkTree(combination, seen), ...checkSettled(combination, seen));
    if (hasCli) failures.push(...byCommand(lane));
    failures.push(...(await checkClock(lane, combination, seen)));
    if (event.name === 'nothing') failures.push(...(await checkRepeat(lane, combination, seen)));
  } catch (error) {
    failures.push({ class: 'start', text: error instanceof Error ? error.message : String(error) });
  }
  return failures;
}

/** The next start, and one more, a minute later as far as the files of the state folder can tell. */
async function twoStarts(
  lane: Lane,
  { event }: Combination,
  before: Seen['before'],
): Promise<Omit<Seen, 'remade'>> {
  const after = readTree(lane.root);
  const outside = readTreeApart(lane.outside, lane.root);
  const listCall = { tool: 'list_files', args: {} };
  // A process that can't be inspected counts as dead only after a while.
  if (event.elsewhere !== undefined) makeOlder(lane.home);
  const first = await start(lane, [{ ...listCall, id: 'first' }]);
  const found = readTree(lane.root);
  makeOlder(lane.home);
  const second = await start(lane, [{ ...listCall, id: 'second' }]);
  const later = readTree(lane.root);
  const outsideLater = readTreeApart(lane.outside, lane.root);
  return { event, before, after, found, later, outside, outsideLater, first, second };
}

/** Makes journals and heartbeats older, as if time had passed. */
function makeOlder(home: string): void {
  const time = Date.now() / 1000 - 3600;
  for (const folder of ['journal', 'owners'].map((name) => join(home, name)))
    if (existsSync(folder))
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), time, time);
}

/** The same as a user sees it: three commands of the built program. */
function byCommand(lane: Lane): Failure[] {
  const before = readTree(lane.root);
  const ownEnv = { CODELAB_HOME: lane.home, CODELAB_KEYS: keysOf(lane) };
  const env = { PATH: process.env.PATH, HOME: lane.folder, ...ownEnv };
  const commands = [
    ['tool', 'list_files', '{}'],
    ['undo', '--dry-run'],
    ['sessions', 'list'],
    ['audit', 'verify'],
  ];
  const failures = commands.flatMap(([...args]): Failure[] => {
    const ran = spawnSync(process.execPath, [codelabProgram, ...args], {
      cwd: lane.root,
      env,
      encoding: 'utf8',
    });
    const isFine =
      ran.status === 0 || (args[0] === 'undo' && ran.status === 1 && !ran.stderr.includes('    at '));
    const text = `codelab ${args.join(' ')}: ${ran.status} ${ran.stderr.slice(0, 200)}`;
    return isFine ? [] : [{ class: 'command', text }];
  });
  const after = readTree(lane.root);
  if (!isSame(without(before, isTemp), without(after, isTemp)))
    failures.push({
      class: 'command',
      text: `commands that only read: ${describeDifference(after, before)}`,
    });
  return failures;
}

/** The same name, the same choices. */
function seedOf(name: string): number {
  return [...name].reduce((sum, char) => (Math.imul(sum, 31) + (char.codePointAt(0) ?? 0)) | 0, 7);
}
