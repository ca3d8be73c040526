// What the calls of a workspace have changed, newest first, as the log tells it.
import type { Effect, Outcome, SessionLog } from '@codelab/protocol';
import { createPauses } from '../platform/steps.ts';

// The calls that changed files of a workspace, newest first. There may be any number of them: they are read a few at a time, as many
// as somebody wants to see, with turns for other work in between.

/** A call that changed files, as the log has it; `at` is its position there. */
type ChangedCall = { session: string; turn: number | undefined; outcome: Outcome; at: number };

const atOnce = 100;

export async function* changedCalls(
  log: SessionLog,
  workspace: string,
): AsyncGenerator<ChangedCall, undefined> {
  const pauses = createPauses();
  for (let before: number | undefined; ; ) {
    const page = await log.changed(workspace, atOnce, before);
    for (const { session, seq, at } of page) {
      const [event] = await log.read(session, { since: seq - 1, limit: 1 });
      if (event?.body.type === 'call.finished')
        yield { session, turn: event.body.turn, outcome: event.body.outcome, at };
      if (pauses.isDue()) await pauses.rest();
    }
    before = page.at(-1)?.at;
    if (before === undefined || page.length < atOnce) return;
  }
}

// Which changes of a workspace stand, newest first, as the log tells it. A call that takes back another one names it in its data,
// path by path; what was taken back can be brought again by taking back the taking back.
type Completed = Extract<Outcome, { status: 'completed' }>;

/** A finished call that changed files, with the effects of it that still stand. */
export type StandingCall = {
  session: string;
  callId: string;
  tool: string;
  turn: number | undefined;
  /** In the order they were made; those of one group were made at once. */
  groups: Effect[][];
  takesBack: boolean;
  /** Whose changes these are: of an undo or redo the sessions of the calls that it took back or brought again. */
  concerns: readonly string[];
};

/** What an undo or redo did, as its data says it. */
type TakenBack = { session: string; call_id: string; paths: string[] };

const maxLooked = 5000;

export type CallChanges = Omit<ChangedCall, 'at'>;

/** `by` is the session that asks; without `session` the changes of every session of the same owner are meant. */
type ChangesQuery = {
  by: string;
  session?: string | undefined;
  call_id?: string | undefined;
  /** Of what was found so far, whether the rest need not be looked at. */
  isEnough(found: readonly StandingCall[]): boolean;
};

/** What the owner of the asking session may know of: the changes of others are as if they were not there. */
export async function findChanges(
  log: SessionLog,
  workspace: string,
  asked: ChangesQuery,
): Promise<StandingCall[]> {
  const { session, call_id, isEnough } = asked;
  const isMeant = await meantBy(log, asked);
  const changed: CallChanges[] = [];
  let found: StandingCall[] = [];
  // Whether a change stands may be told by a session of somebody else, such as the operator who took it back.
  const find = async (): Promise<void> => {
    found = [];
    for (const one of standingCalls(changed)) if (await isMeant(one)) found.push(one);
  };
  for await (const one of changedCalls(log, workspace)) {
    changed.push(one);
    // Of a call that is named, everything since is looked at, however much that is, and nothing before it.
    if (one.outcome.callId === call_id && (session ?? one.session) === one.session) break;
    if (call_id !== undefined) continue;
    if (changed.length >= maxLooked) break;
    if (!isPowerOfTwo(changed.length)) continue;
    await find();
    if (isEnough(found)) return found;
  }
  await find();
  return found;
}

// So that judging what was found costs no more than twice what finding it does.
function isPowerOfTwo(n: number): boolean {
  return (n & (n - 1)) === 0;
}

// An undo of a session's changes may have been made in another session, as `codelab undo` is; it must have the same owner.
async function meantBy(
  log: SessionLog,
  { by, session }: ChangesQuery,
): Promise<(one: StandingCall) => Promise<boolean>> {
  const owners = new Map<string, string | undefined>();
  const owner = async (one: string): Promise<string | undefined> => {
    if (!owners.has(one)) owners.set(one, await ownerOf(log, one));
    return owners.get(one);
  };
  return async (one) => {
    if (session !== undefined && one.session !== session && !one.concerns.includes(session)) return false;
    return one.session === by || (await owner(one.session)) === (await owner(by));
  };
}

/** Undefined for the operator, to whom sessions without an owner belong. */
export async function ownerOf(log: SessionLog, session: string): Promise<string | undefined> {
  const [opened] = await log.read(session, { limit: 1 });
  return opened?.body.type === 'session.opened' ? opened.body.owner : undefined;
}

/** `changed` is newest first. */
export function standingCalls(changed: readonly CallChanges[]): StandingCall[] {
  const undone = new Set<string>();
  const concerns = concernsOf(changed);
  const standing: StandingCall[] = [];
  for (const { session, turn, outcome } of changed) {
    const stands = (effect: Effect): boolean => !undone.has(key(session, outcome.callId, effect.path));
    const groups = groupsOf(outcome)
      .map((group) => group.filter(stands))
      .filter((group) => group.length > 0);
    if (groups.length === 0) continue;
    const taken = takenBackBy(outcome);
    for (const one of taken) for (const path of one.paths) undone.add(key(one.session, one.call_id, path));
    standing.push({
      session,
      callId: outcome.callId,
      tool: outcome.tool,
      turn,
      groups,
      takesBack: taken.length > 0,
      concerns: concerns.get(callKey(session, outcome.callId)) ?? [session],
    });
  }
  return standing;
}

// By call. A redo names the undo that it takes back, and only that one names the call, so they are read oldest first.
function concernsOf(changed: readonly CallChanges[]): Map<string, readonly string[]> {
  const concerns = new Map<string, readonly string[]>();
  for (const { session, outcome } of changed.toReversed()) {
    const taken = takenBackBy(outcome);
    const named = taken.flatMap((one) => concerns.get(callKey(one.session, one.call_id)) ?? [one.session]);
    concerns.set(callKey(session, outcome.callId), taken.length === 0 ? [session] : [...new Set(named)]);
  }
  return concerns;
}

// An undo of several calls is several sets of changes, each made on top of the one before; its data says how many effects each had.
function groupsOf(outcome: Outcome): Effect[][] {
  if (outcome.status !== 'completed' || !Array.isArray(outcome.data.steps))
    return splitEffects(outcome.effects);
  let at = 0;
  return outcome.data.steps.map(Number).map((count) => {
    at += count;
    return outcome.effects.slice(at - count, at);
  });
}

function takenBackBy(outcome: Outcome): TakenBack[] {
  if (outcome.status !== 'completed') return [];
  const { taken_back: taken } = outcome.data as Completed['data'] & { taken_back?: TakenBack[] };
  return (outcome.tool === 'undo' || outcome.tool === 'redo') && Array.isArray(taken) ? taken : [];
}

function callKey(session: string, callId: string): string {
  return JSON.stringify([session, callId]);
}

function key(session: string, callId: string, path: string): string {
  return JSON.stringify([session, callId, path]);
}

// Effects that can't be taken back at once: where a file became a folder, or a folder a file, one has to go before the other can come;
// and what a folder's mode forbids has to wait for the mode.
function splitEffects(effects: readonly Effect[]): Effect[][] {
  const groups: Effect[][] = [];
  let group: Effect[] = [];
  let removed = new Set<string>();
  for (const effect of effects) {
    const [last = effect] = group.slice(-1);
    if (removed.has(effect.path) || isFolderMode(last) !== isFolderMode(effect)) {
      groups.push(group);
      group = [];
      removed = new Set();
    }
    if (effect.op === 'delete') removed.add(effect.path);
    group.push(effect);
  }
  return [...groups, group];
}

/** A folder that is the same but for its mode. */
export function isFolderMode({ before, after }: Effect): boolean {
  return before?.type === 'directory' && after?.type === 'directory';
}
