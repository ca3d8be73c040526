// Plans and performs an undo or redo: what each changed file becomes, and what prevents it.
import { posix } from 'node:path';
import { type Effect, ErrorCode, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { PlanContext, Planned, RunContext, ToolRunResult } from '../tool/define-tool.ts';
import { intentsOf } from '../workspace/commit/change.ts';
import { commitChanges } from '../workspace/commit/commit-changes.ts';
import { FailedAtPath } from '../workspace/commit/failed-at-path.ts';
import type { LeftFolder } from '../workspace/commit/perform-changes.ts';
import { tidyTemps } from '../workspace/commit/tidy-temps.ts';
import { FailedWithEffects, fault } from '../workspace/fault.ts';
import { seeAgain } from '../workspace/file-checks.ts';
import {
  chooseTarget,
  type EarlierTurn,
  effectState,
  isTargetKnown,
  turnBefore,
  type UndoTarget,
} from './choose-target.ts';
import { findChanges, type StandingCall } from './find-changes.ts';
import { withKeptItems } from './index-changes.ts';
import type { LeftEffect } from './linked-effects.ts';
import { nothingPossible } from './nothing-possible.ts';
import type { LeftDeletion } from './only-copy.ts';
import { notRecorded, type ReversedSet, reverseSet, type UndoRefusal } from './order-effects.ts';
import { describeUndo } from './preview-undo.ts';
import { isLastOf, withoutMark } from './taken-back.ts';

// Changes are undone newest first. Each set of changes is undone as one, on top of the state that the previous set has left, so an older
// set is planned when its turn comes.

/** `session` defaults to the one that asks or, with the scope `workspace`, to all sessions of the same owner. */
type UndoArguments = Omit<UndoTarget, 'readState'> & {
  session?: string | undefined;
  scope: 'session' | 'workspace';
  force: boolean;
};

/** `first` is the newest set as it was planned: its temp names and items are in the log. `before` is the turn before. */
export type PlannedUndo = {
  verb: 'undo' | 'redo';
  targets: StandingCall[];
  isForced: boolean;
  first: ReversedSet;
  items: number;
  before?: EarlierTurn | undefined;
};

export async function planUndo(
  verb: 'undo' | 'redo',
  { session, scope, force: isForced, ...selection }: UndoArguments,
  context: PlanContext,
): Promise<Planned<PlannedUndo>> {
  const { log, workspace, session: by } = context;
  const target: UndoTarget = {
    ...selection,
    paths: selection.paths?.map((path) => posix.normalize(path)),
    isForced,
    readState: (...args) => effectState(...args, context),
  };
  const changes = await findChanges(log, workspace.root.real, {
    by,
    session: session ?? (scope === 'session' ? by : undefined),
    call_id: selection.call_id,
    isEnough: (changes) => isTargetKnown(changes, target, verb),
  });
  const targets = withKeptItems(chooseTarget(changes, target, verb), changes, context.home);
  const [call = noCall] = targets;
  const newest = call.groups.at(-1) ?? [];
  let items = 0;
  const older = call.groups.slice(0, -1).flat();
  const item = (): string => String(items++);
  const ofCall = { call, older, newerLeft: [] };
  const first = await reverseSet(newest, context, { isForced, item, ...ofCall, leftDeletions: [] });
  const hasLaterSets = targets.flatMap(({ groups }) => groups).length > 1;
  const before = verb === 'undo' ? turnBefore(changes, targets) : undefined;
  if (first.changes.length === 0 && !hasLaterSets)
    throw nothingPossible(verb, {
      refused: [...first.refused, ...notRecorded(targets)],
      unchanged: [first],
      before,
    });
  const plan = await describeUndo({ verb, targets, isForced }, first, context);
  const prepared = { verb, targets, isForced, first, items, before };
  return { plan, intents: intentsOf(first.changes), hasLaterSets, prepared };
}

const noCall = { session: '', callId: '', groups: [], takesBack: false };

export async function performUndo(
  { verb, targets, isForced, first, items: plannedItems, before }: PlannedUndo,
  context: RunContext,
): Promise<ToolRunResult<UndoData>> {
  const data: UndoData = { taken_back: [], refused: [], steps: [] };
  const effects: Effect[] = [];
  const leftDeletions: LeftDeletion[] = [];
  // The log knows the changes of set 0. Where all of it was refused, every set that follows is a later one, which its journal knows.
  let set = first.changes.length === 0 ? 1 : 0;
  let items = plannedItems;
  let firstFailure: ToolError | undefined;
  const note = (newEffects: Effect[]): void => {
    effects.push(...newEffects.map(withoutMark));
    if (newEffects.length > 0) data.steps.push(newEffects.length);
  };
  const each = { isForced, item: (): string => String(items++), leftDeletions };
  const onLeft = (folder: LeftFolder): void => void data.refused.push(...leftFolder(folder));
  for (const call of targets) {
    const { session, callId, groups } = call;
    const undone: UndoData['taken_back'][number] = { session, call_id: callId, paths: [] };
    const newerLeft: LeftEffect[] = [];
    const effectsBefore = effects.length;
    for (const [at, group] of [...groups.entries()].toReversed()) {
      const older = groups.slice(0, at).flat();
      const ofCall = { ...each, call, older, newerLeft };
      const planned = group === targets[0]?.groups.at(-1) ? first : await reverseSet(group, context, ofCall);
      const { reversed, failure } = await commitPossible(planned, {
        commit: (part) => commitSet(part, context, { next: () => set++, note, onLeft }),
        without: (blocked) => reverseSet(group, context, { ...ofCall, blocked }),
      });
      data.refused.push(...reversed.refused);
      leftDeletions.push(...reversed.leftDeletions);
      newerLeft.push(...reversed.leftEffects);
      tidyTemps(context, movesOf(reversed));
      const others = [...older, ...newerLeft.map(({ effect }) => effect)];
      if (failure === undefined)
        undone.paths.push(...reversed.paths.filter((path) => isLastOf({ path }, others)));
      else {
        // Older sets are tried nevertheless; a set that needs this one is refused by name.
        firstFailure ??= failure;
        if (failure instanceof FailedWithEffects) note([...failure.effects]);
        data.refused.push(...refusedBy(failure, reversed.paths));
        newerLeft.push(...leftBy(failure, group));
      }
    }
    // A redo reverses also the first half of what could not be completed.
    if (undone.paths.length > 0 || effects.length > effectsBefore) data.taken_back.push(undone);
  }
  data.refused.push(...notRecorded(targets));
  const details = { refused: data.refused, unchanged: data.taken_back, before };
  if (effects.length === 0) throw firstFailure ?? nothingPossible(verb, details);
  return { data, effects, seen: seenFiles(effects, context) };
}

/** Each attempt stages the whole set again. */
const mostBlocked = 50;

type Attempts = {
  commit(part: ReversedSet): Promise<void>;
  without(blocked: ReadonlyMap<string, ToolError>): Promise<ReversedSet>;
};

/** Commits the set, or what is possible of it where the system forbids a part. */
async function commitPossible(
  planned: ReversedSet,
  { commit, without }: Attempts,
): Promise<{ reversed: ReversedSet; failure?: ToolError | undefined }> {
  const blocked = new Map<string, ToolError>();
  for (let reversed = planned; ; ) {
    const failure = await attempt(() => commit(reversed));
    if (!(failure instanceof FailedAtPath) || failure.code !== 'PERMISSION_DENIED')
      return { reversed, failure };
    const { path } = failure;
    if (blocked.has(path) || blocked.size === mostBlocked) return { reversed, failure };
    const rest = await without(blocked.set(path, failure));
    if (rest.changes.length === 0) return { reversed: planned, failure };
    reversed = rest;
  }
}

type SetOptions = { next(): number; note(effects: Effect[]): void; onLeft(folder: LeftFolder): void };

async function commitSet(
  { changes, afterwards }: ReversedSet,
  context: RunContext,
  { next, note, onLeft }: SetOptions,
): Promise<void> {
  if (changes.length > 0) note(await commitChanges(changes, context, { set: next(), onLeft, afterwards }));
  if (afterwards.length > 0)
    note(await commitChanges(afterwards, context, { set: next(), onLeft, isDue: changes.length > 0 }));
}

function refusedBy({ message, code }: ToolError, paths: readonly string[]): UndoRefusal[] {
  return paths.map((path) => ({ path, reason: message, code }));
}

function leftBy({ message: refused, code }: ToolError, group: readonly Effect[]): LeftEffect[] {
  return group.map((effect) => ({ effect, reversal: { path: effect.path, refused, code } }));
}

const movesOf = ({ changes }: ReversedSet): ReversedSet['changes'] =>
  changes.filter(({ op }) => op === 'move');

function seenFiles(effects: readonly Effect[], { workspace }: RunContext) {
  const files = effects.filter(({ after }) => after?.type === 'file');
  return files.flatMap(({ path }) => seeAgain(workspace, path));
}

/** A folder that got new content since stays, without a note. */
function leftFolder({ path, errno }: LeftFolder): UndoRefusal[] {
  if (errno === 'ENOTEMPTY') return [];
  return [{ path, reason: `the folder could not be removed (${errno})`, code: 'STALE' }];
}

/** The failure of one set of changes; an unexpected error is rethrown. A cancelled undo has made the sets before. */
async function attempt(work: () => Promise<void>): Promise<ToolError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return failureOfSet(error);
  }
}

export function failureOfSet(error: unknown): ToolError {
  const { name } = error instanceof Error ? error : { name: '' };
  if (name === 'AbortError') return new ToolError('CANCELLED', 'The call was cancelled.');
  if (name === 'TimeoutError') return new ToolError('TIMEOUT', 'The call exceeded its time limit.');
  return fault(error, 'the files');
}

/** The result of undo and redo: the undone changes by call, and the refusals by file. */
export const UndoOutput = () =>
  z.strictObject({
    taken_back: z.array(
      z.strictObject({ session: z.string(), call_id: z.string(), paths: z.array(z.string()) }),
    ),
    refused: z.array(z.strictObject({ path: z.string(), reason: z.string(), code: ErrorCode() })),
    /** Number of effects of each set of changes, in order. */
    steps: z.array(z.int()),
  });

export type UndoData = z.infer<ReturnType<typeof UndoOutput>>;
