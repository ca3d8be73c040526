// Finds the calls of a review in the log: those of one turn or of the whole session. Changes by people and by other sessions do not belong
// to the review, but are read as well, because they changed the same files in between.
import type { Effect, Outcome, SessionLog } from '@codelab/protocol';
import { createPauses } from '../platform/steps.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import type { CallChanges } from '../undo/find-changes.ts';
import { takenBackBy } from '../undo/taken-back.ts';
import { readDeletedTree } from './deleted-trees.ts';
import type { TracedCall } from './trace-files.ts';

/** `turn` is null for the whole session. */
export type ReviewScope = { session: string; turn: number | null };

export type ReviewCalls = {
  /** Oldest first. */
  calls: TracedCall[];
  /** The turns of the session that changed files. */
  turns: number[];
  /** By digest: the quarantine items that held this content, and files within such items. */
  trashIds: ReadonlyMap<string, readonly string[]>;
  within: ReadonlyMap<string, string>;
  /** By digest: where calls have written this content. */
  places: ReadonlyMap<string, readonly string[]>;
  /** The sessions of these calls. */
  sessions: readonly string[];
};

export const discardTool = 'discard_changes';

const mostCalls = 5000;

export async function findReviewCalls(
  { log, workspace, home }: Pick<PlanContext, 'log' | 'workspace' | 'home'>,
  scope: ReviewScope,
): Promise<ReviewCalls> {
  const changed = await callsSince(log, workspace.root.real, scope.session);
  const ownership = await ownershipOf(log, changed, scope);
  const turns = changed.flatMap(({ session, turn }) => (session === scope.session && turn ? [turn] : []));
  const { expand, within } = openTrees(home);
  return {
    calls: changed.map((call) => ({
      callId: call.outcome.callId,
      effects: call.outcome.effects.flatMap((effect) => {
        const isOwn = ownership(call, effect);
        return expand(effect).map((each) => ({ effect: each, isOwn }));
      }),
      takesBack: isTakeBack(call.outcome),
      isNamed: !isTakeBack(call.outcome) && call.outcome.tool !== discardTool,
    })),
    turns: [...new Set(turns)].sort((a, b) => a - b),
    trashIds: listBy(changed, ({ before, trashId }) => [before?.digest, trashId]),
    places: listBy(changed, ({ after, path }) => [after?.digest, path]),
    within,
    sessions: [...new Set([scope.session, ...changed.map(({ session }) => session)])],
  };
}

type Trees = { expand(effect: Effect): Effect[]; within: ReadonlyMap<string, string> };

/** Folders that were deleted or restored as a whole, listed file by file. */
function openTrees(home: string): Trees {
  const fileByDigest = new Map<string, string>();
  const deleted = new Map<string, Effect[]>();
  return {
    within: fileByDigest,
    expand(effect) {
      const { op, path, after } = effect;
      const tree = readDeletedTree(effect, home);
      if (tree !== undefined) {
        for (const [digest, file] of tree.files) fileByDigest.set(digest, file);
        deleted.set(path, tree.effects);
        return tree.effects;
      }
      const back = op === 'create' && after?.type === 'directory' ? deleted.get(path) : undefined;
      deleted.delete(path);
      return back === undefined ? [effect] : back.toReversed().map(creationOf);
    },
  };
}

function creationOf({ path, before }: Effect): Effect {
  return { op: before?.type === 'directory' ? 'mkdir' : 'create', path, before: null, after: before };
}

/** All calls of the workspace from the session's first one on, oldest first. */
async function callsSince(log: SessionLog, workspace: string, session: string): Promise<CallChanges[]> {
  const rows = await log.changed(workspace, mostCalls);
  const first = rows.findLastIndex((row) => row.session === session);
  const changed: CallChanges[] = [];
  const pauses = createPauses();
  for (const row of rows.slice(0, first + 1).reverse()) {
    const [event] = await log.read(row.session, { since: row.seq - 1, limit: 1 });
    if (event?.body.type === 'call.finished')
      changed.push({ session: row.session, turn: event.body.turn, outcome: event.body.outcome });
    if (pauses.isDue()) await pauses.rest();
  }
  return changed;
}

function isTakeBack({ tool }: Outcome): boolean {
  return tool === 'undo' || tool === 'redo';
}

function listBy(
  changed: readonly CallChanges[],
  entryOf: (effect: Effect) => [digest: string | undefined, value: string | undefined],
): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const effect of changed.flatMap(({ outcome }) => outcome.effects)) {
    const [digest, value] = entryOf(effect);
    if (digest === undefined || value === undefined) continue;
    const list = lists.get(digest);
    if (list === undefined) lists.set(digest, [value]);
    else if (!list.includes(value)) list.push(value);
  }
  return lists;
}

type Ownership = (call: CallChanges, effect: Effect) => boolean;

/** An undo or redo belongs to the call that it reverses or restores, and a discard to the review in which it was made. */
async function ownershipOf(
  log: SessionLog,
  changed: readonly CallChanges[],
  scope: ReviewScope,
): Promise<Ownership> {
  const byPersons = await personsCalls(log, changed, scope);
  const callsByKey = new Map(changed.map((call) => [keyOf(call.session, call.outcome.callId), call]));
  const isOwnAt = (call: CallChanges, paths: readonly string[]): boolean => {
    const { session, turn, outcome } = call;
    if (isTakeBack(outcome))
      return takenBackBy(outcome).some((undone) => {
        const target = callsByKey.get(keyOf(undone.session, undone.call_id));
        const same = paths.filter((path) => undone.paths.includes(path));
        if (target === undefined || target === call || same.length === 0) return false;
        return isOwnAt(target, pathsIn(target, same));
      });
    if (session !== scope.session) return false;
    if (outcome.tool === discardTool)
      return scope.turn === null || (dataOf(outcome) as { turn?: number | null }).turn === scope.turn;
    return scope.turn === null ? !byPersons.has(outcome.callId) : turn === scope.turn;
  };
  return (call, { path, from }) => isOwnAt(call, from === undefined ? [path] : [path, from]);
}

// An undo or redo of a move may name either end of the move, so both paths count.
function pathsIn({ outcome }: CallChanges, paths: readonly string[]): string[] {
  const effects = outcome.effects.filter(({ path }) => paths.includes(path));
  return effects.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  return outcome.status === 'completed' ? outcome.data : {};
}

function keyOf(session: string, callId: string): string {
  return JSON.stringify([session, callId]);
}

/** Calls without a turn that their own maker consented to: a file saved in the page, a command typed by hand. */
async function personsCalls(
  log: SessionLog,
  changed: readonly CallChanges[],
  { session, turn }: ReviewScope,
): Promise<Set<string>> {
  const isAsked = changed.some(
    (call) => call.session === session && call.turn === undefined && !isTakeBack(call.outcome),
  );
  const persons = new Set<string>();
  if (turn !== null || !isAsked) return persons;
  const makers = new Map<string, string>();
  for (let since = 0; ; ) {
    const page = await log.read(session, { since, limit: 500, maxChars: 4_000_000 });
    for (const { body } of page) {
      if (body.type === 'call.received' && body.call.turn === undefined && body.call.requiresApproval)
        makers.set(body.call.id, makerOf(body.call.by));
      if (body.type === 'approval.decided' && makers.get(body.callId) === makerOf(body.by))
        persons.add(body.callId);
    }
    const last = page.at(-1);
    if (last === undefined) return persons;
    since = last.seq;
  }
}

function makerOf(by: { who: string; via: string } | undefined): string {
  return JSON.stringify([by?.who, by?.via]);
}
