// Which changes of a workspace stand, newest first, as the log tells it. A call that takes back another one names it in its data,
// path by path; what was taken back can be brought again by taking back the taking back.
import type { Effect, Outcome, SessionLog } from '@codelab/protocol';
import { splitEffects } from './split-effects.ts';

type Completed = Extract<Outcome, { status: 'completed' }>;

/** A finished call that changed files, with the effects of it that still stand. */
export type Standing = {
  session: string;
  callId: string;
  tool: string;
  turn: number | undefined;
  /** In the order they were made; those of one group were made at once. */
  groups: Effect[][];
  takesBack: boolean;
};

/** What an undo or redo did, as its data says it. */
type TakenBack = { session: string; call_id: string; paths: string[] };

const maxLooked = 5000;

/** A call that changed files, as the log has it. */
export type Changed = { session: string; turn: number | undefined; outcome: Outcome };

/** `by` is the session that asks; without `session` the changes of every session of the same owner are meant. */
type Asked = { by: string; session?: string | undefined; call_id?: string | undefined };

/** What the owner of the asking session may know of: the changes of others are as if they were not there. */
export async function findChanges(
  log: SessionLog,
  workspace: string,
  { by, session, call_id }: Asked,
): Promise<Standing[]> {
  // Whether a change stands may be told by a session of somebody else, such as the operator who took it back.
  const all = await allChanges(log, workspace, { call_id, session });
  if (session === by) return all.filter((one) => one.session === by);
  const owners = new Map<string, string | undefined>();
  for (const id of new Set([by, ...all.map((one) => one.session)])) owners.set(id, await ownerOf(log, id));
  const isOwn = (one: Standing): boolean => owners.get(one.session) === owners.get(by);
  return all.filter((one) => isOwn(one) && (session === undefined || one.session === session));
}

/** Undefined for the operator, to whom sessions without an owner belong. */
export async function ownerOf(log: SessionLog, session: string): Promise<string | undefined> {
  const [opened] = await log.read(session, { limit: 1 });
  return opened?.body.type === 'session.opened' ? opened.body.owner : undefined;
}

/** Of a call that is named, everything since is looked at, however much that is, and nothing before it. */
async function allChanges(
  log: SessionLog,
  workspace: string,
  named: Pick<Asked, 'call_id' | 'session'>,
): Promise<Standing[]> {
  const changed: Changed[] = [];
  const most = named.call_id === undefined ? maxLooked : Number.MAX_SAFE_INTEGER;
  for (const { session, seq } of await log.changed(workspace, most)) {
    const [event] = await log.read(session, { since: seq - 1, limit: 1 });
    if (event?.body.type !== 'call.finished') continue;
    const { outcome, turn } = event.body;
    changed.push({ session, turn, outcome });
    if (outcome.callId === named.call_id && (named.session ?? session) === session) break;
  }
  return standingOf(changed);
}

/** `changed` is newest first. */
export function standingOf(changed: readonly Changed[]): Standing[] {
  const undone = new Set<string>();
  const standing: Standing[] = [];
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
    });
  }
  return standing;
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

function key(session: string, callId: string, path: string): string {
  return JSON.stringify([session, callId, path]);
}
