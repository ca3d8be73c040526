// The changes of a workspace's calls, newest first, from the log. They may be many, so they are read in small batches, as far as the caller
// needs, and other work runs in between.
import { type Effect, notRecordedIn, type Outcome, type SessionLog } from '@codelab/protocol';
import { createPauses, runInTurns, runNow, type Steps } from '../platform/steps.ts';
import { stepsOf, type TakenBack, takenBackBy } from './taken-back.ts';

/** A call that changed files; `at` is its position in the log. */
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

// Which changes of a workspace stand, newest first. An undo names the call it undoes in its data, path by path; a redo undoes the undo.

/** A finished call that changed files, with those of its effects that still stand. */
export type StandingCall = {
  session: string;
  callId: string;
  tool: string;
  turn: number | undefined;
  /** In the order they were made; the effects of one group were made together. */
  groups: Effect[][];
  takesBack: boolean;
  /** How many more files the call changed than its effects have. */
  notRecorded: number;
  /** The calls that made these changes: for an undo or redo, the calls that it undid or redid. */
  origins: readonly OriginCall[];
};

export type OriginCall = { session: string; callId: string; turn: number | undefined };

const maxLooked = 5000;

export type CallChanges = Omit<ChangedCall, 'at'>;

/** `by` is the requesting session; without `session`, the changes of every session of the same owner are included. */
type ChangesQuery = {
  by: string;
  session?: string | undefined;
  call_id?: string | undefined;
  /** Whether the changes found so far suffice. */
  isEnough(found: readonly StandingCall[]): boolean;
};

/** Changes that the owner of the session may not see are left out. */
export async function findChanges(
  log: SessionLog,
  workspace: string,
  query: ChangesQuery,
): Promise<StandingCall[]> {
  const { session, call_id, isEnough } = query;
  const isMeant = await meantBy(log, query);
  const changed: CallChanges[] = [];
  let standing: StandingCall[] = [];
  // Whether a change stands may be recorded in another owner's session, for example when the operator undid it.
  const find = async (): Promise<void> => {
    standing = [];
    for (const call of await runInTurns(standingSteps(changed))) if (await isMeant(call)) standing.push(call);
  };
  for await (const call of changedCalls(log, workspace)) {
    changed.push(call);
    // For a named call everything since that call is read, however much, and nothing before it.
    if (call.outcome.callId === call_id && (session ?? call.session) === call.session) break;
    if (call_id !== undefined) continue;
    if (changed.length >= maxLooked) break;
    // Checking only at powers of two costs at most twice as much as finding the changes.
    if ((changed.length & (changed.length - 1)) !== 0) continue;
    await find();
    if (isEnough(standing)) return standing;
  }
  await find();
  return standing;
}

// Another session of the same owner may have undone a session's changes, for example through `codelab undo`.
async function meantBy(
  log: SessionLog,
  { by, session }: ChangesQuery,
): Promise<(call: StandingCall) => Promise<boolean>> {
  const owners = new Map<string, string | undefined>();
  const owner = async (id: string): Promise<string | undefined> => {
    if (!owners.has(id)) owners.set(id, await ownerOf(log, id));
    return owners.get(id);
  };
  return async (call) => {
    if (
      session !== undefined &&
      call.session !== session &&
      !call.origins.some((origin) => origin.session === session)
    )
      return false;
    return call.session === by || (await owner(call.session)) === (await owner(by));
  };
}

/** Undefined for the operator, who owns the sessions without an owner. */
export async function ownerOf(log: SessionLog, session: string): Promise<string | undefined> {
  const [opened] = await log.read(session, { limit: 1 });
  return opened?.body.type === 'session.opened' ? opened.body.owner : undefined;
}

/** `changed` is newest first. */
export function standingCalls(changed: readonly CallChanges[]): StandingCall[] {
  return runNow(standingSteps(changed));
}

/** Takes some milliseconds. */
const callsInPiece = 256;

function* standingSteps(changed: readonly CallChanges[]): Steps<StandingCall[], number> {
  const undone = new Set<string>();
  const origins = originsOf(changed);
  const standing: StandingCall[] = [];
  const claims = claimsIn(changed);
  for (const [at, { session, turn, outcome }] of changed.entries()) {
    if (at % callsInPiece === callsInPiece - 1) yield at;
    const stands = (effect: Effect): boolean => !undone.has(key(session, outcome.callId, effect.path));
    const groups = groupsOf(outcome)
      .map((group) => group.filter(stands))
      .filter((group) => group.length > 0);
    if (groups.length === 0) continue;
    const takenBack = takenBackBy(outcome);
    for (const undo of takenBack)
      for (const path of claims.holding(at, undo, groups.flat()))
        undone.add(key(undo.session, undo.call_id, path));
    standing.push({
      session,
      callId: outcome.callId,
      tool: outcome.tool,
      turn,
      groups,
      takesBack: takenBack.length > 0,
      notRecorded: notRecordedIn(outcome),
      origins: origins.get(key(session, outcome.callId)) ?? [],
    });
  }
  return standing;
}

// An undo also names files that already had their old state, as after a discard, and has no effect on them. That claim lapses when a later
// undo reverses the change that restored them: then the file is again as the call left it.
function claimsIn(changed: readonly CallChanges[]) {
  const places = new Map(changed.map((call, at) => [key(call.session, call.outcome.callId), at]));
  /** By path: the calls whose change of it a later undo reversed. Places count from the newest call. */
  const reversed = new Map<string, number[]>();
  return {
    /**
     * The paths for which the call at this position still claims its undo; `standing` are its effects that stand. Must be called for newer
     * calls first.
     */
    holding(at: number, { session, call_id, paths }: TakenBack, standing: readonly Effect[]): string[] {
      const origin = places.get(key(session, call_id)) ?? changed.length;
      const touched = pathsOf(changed[at]?.outcome.effects ?? []);
      const heldPaths = paths.filter(
        (path) =>
          touched.has(path) || !reversed.get(path)?.some((between) => at < between && between < origin),
      );
      const now = pathsOf(standing);
      for (const path of heldPaths)
        if (now.has(path)) reversed.set(path, [...(reversed.get(path) ?? []), origin]);
      return heldPaths;
    },
  };
}

function pathsOf(effects: readonly Effect[]): Set<string> {
  return new Set(effects.flatMap(({ path, from = path }) => [path, from]));
}

// By call. A redo names the undo that it reverts, and only the undo names the call, so calls are read oldest first.
function originsOf(changed: readonly CallChanges[]): Map<string, readonly OriginCall[]> {
  const origins = new Map<string, readonly OriginCall[]>();
  for (const { session, turn, outcome } of changed.toReversed()) {
    const { callId } = outcome;
    const takenBack = takenBackBy(outcome);
    const sources = takenBack.flatMap(
      ({ session: from, call_id: id }) =>
        origins.get(key(from, id)) ?? [{ session: from, callId: id, turn: undefined }],
    );
    origins.set(key(session, callId), takenBack.length === 0 ? [{ session, callId, turn }] : sources);
  }
  return origins;
}

// An undo of several calls makes several sets of changes, each on top of the one before; its data has the number of effects of each.
function groupsOf(outcome: Outcome): Effect[][] {
  const steps = stepsOf(outcome);
  if (steps === undefined) return splitEffects(outcome.effects);
  let at = 0;
  return steps.map((count) => {
    at += count;
    return outcome.effects.slice(at - count, at);
  });
}

/** Of a call, or of one of its paths. */
function key(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

// Effects that cannot be undone together: where a file became a folder, or a folder a file, one must be removed before the other is
// created; and changes that a folder's mode forbids must wait for the mode.
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

/** The folder is unchanged except for its mode; one that was moved or replaced by another is not. */
export function isFolderMode({ op, before, after, trashId }: Effect): boolean {
  if (op === 'move' || trashId !== undefined) return false;
  return before?.type === 'directory' && after?.type === 'directory';
}
