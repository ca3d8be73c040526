// Sorts effects into an order in which they can have happened, so that undoing from the end finds every folder it needs: content, then
// folders deleted from the inside out, folders created from the outside in, new files. A folder's mode change comes first or last, so that
// it never blocks changes inside.
import type { Effect, ErrorCode, FileState, ToolError } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Change } from '../workspace/commit/change.ts';
import { missingDirectories } from '../workspace/text-files.ts';
import { isFolderMode } from './find-changes.ts';
import { readFolders, type UndoContext } from './index-changes.ts';
import {
  effectPaths,
  isLink,
  type LeftEffect,
  type Refused,
  reasonFor,
  refusedWithOlder,
} from './linked-effects.ts';
import {
  deletionsOf,
  elsewhere,
  type LeftDeletion,
  leaveTogether,
  leftAmong,
  leftOf,
  withoutNested,
} from './only-copy.ts';
import { sharedNames } from './present-state.ts';
import { reverseEffect } from './reverse-effect.ts';
import { isLastOf, markReversal } from './taken-back.ts';

export function orderEffects(effects: readonly Effect[]): Effect[] {
  const ranked = effects.map((effect) => ({
    effect,
    rank: rankOf(effect),
    depth: effect.path.split('/').length,
  }));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.rank === rankOfRemoved ? b.depth - a.depth : a.depth - b.depth) ||
      (a.effect.path < b.effect.path ? -1 : 1),
  );
  return ranked.map(({ effect }) => effect);
}

const rankOfRemoved = 2;

function rankOf(effect: Effect): number {
  const { op, before } = effect;
  if (isFolderMode(effect)) return isWritable(before) ? 5 : 0;
  if (op === 'delete' && before?.type === 'directory') return rankOfRemoved;
  if (op === 'mkdir') return 3;
  return op === 'create' ? 4 : 1;
}

function isWritable(folder: FileState | null): boolean {
  return ((folder?.mode ?? 0) & 0o200) !== 0;
}

// Effects that were made together are reversed as one set of changes.

export type UndoRefusal = { path: string; reason: string; code: ErrorCode };

/** Refusals for changed files beyond the recorded ones, which undo leaves. */
export function notRecorded(calls: readonly { notRecorded: number }[]): UndoRefusal[] {
  const count = calls.reduce((sum, call) => sum + call.notRecorded, 0);
  if (count === 0) return [];
  const files =
    count === 1
      ? '1 more file that this command changed is'
      : `${count} more files that this command changed are`;
  const reason = `${files} not recorded and left unchanged; where git has them, \`git status\` lists them and \`git restore\` brings them back`;
  return [{ path: '.', reason, code: 'FILE_NOT_FOUND' }];
}

/** `leftEffects` are the refused effects that linked ones depend on; `leftDeletions`, the deletions and replacements among all refused effects. */
export type ReversedSet = {
  changes: Change[];
  afterwards: Change[];
  paths: string[];
  refused: UndoRefusal[];
  leftEffects: LeftEffect[];
  leftDeletions: LeftDeletion[];
};

/**
 * `call` made the group, and takes back when it is itself an undo or redo; `older` are its effects that are reversed after the group;
 * `newerLeft`, those that were left of its newer ones; `leftDeletions`, the deletions that the undo has left so far.
 */
type GroupOptions = {
  call: { session: string; callId: string; takesBack: boolean };
  isForced: boolean;
  older: readonly Effect[];
  newerLeft: readonly LeftEffect[];
  leftDeletions: readonly LeftDeletion[];
  /** By path: what the system does not let us change. */
  blocked?: ReadonlyMap<string, ToolError>;
  item(): string;
};

export async function reverseSet(
  group: readonly Effect[],
  context: PlanContext,
  options: GroupOptions,
): Promise<ReversedSet> {
  const folders = await readFolders(group, context);
  return reverseGroup(group, { ...context, folders }, options);
}

function reverseGroup(
  group: readonly Effect[],
  context: UndoContext,
  { call, isForced, item, older, newerLeft, leftDeletions: earlierLeft, blocked }: GroupOptions,
): ReversedSet {
  const { takesBack } = call;
  const { separatePaths, movedAlong } = sharedNames(group, context);
  const changed = new Set(group.map(({ path }) => path));
  const linkedNames = new Set(takesBack ? older.flatMap(effectPaths) : []);
  const each = group.toReversed().map((effect) => {
    const isReplacing = separatePaths.has(effect.path);
    const options = { home: context.home, isForced, item, isReplacing, changed };
    const reversal = blockedIn(effect, blocked) ?? reverseEffect(effect, context, options);
    if ('refused' in reversal || reversal.changes.length === 0) return { effect, reversal };
    const isLinked = effectPaths(effect).some((name) => linkedNames.has(name));
    const refused =
      (isLinked && refusedWithOlder(effect, { group, older }, { context, isForced })) ||
      refusedWithNewer(reversal, effect, takesBack ? newerLeft : [], isForced);
    return { effect, reversal: refused ?? reversal };
  });
  const settled = leaveTogether(each, {
    newerLeft,
    leftDeletions: [...earlierLeft, ...leftAmong(older, group, context, isForced)],
    isForced,
    isElsewhere: elsewhere(group, context),
  });
  const leftEffects = leftOf(settled);
  const reversed: ReversedSet = {
    ...{ changes: [], afterwards: [], paths: [], refused: [], leftEffects },
    leftDeletions: deletionsOf(leftEffects),
  };
  const others = [...older, ...newerLeft.map((left) => left.effect)];
  for (const { effect, reversal } of settled) {
    if ('refused' in reversal)
      reversed.refused.push({ path: reversal.path, reason: reversal.refused, code: reversal.code });
    else if (!holdsBlocked(effect, blocked)) {
      const own = movedAlong.has(effect.path)
        ? []
        : reversal.changes.map((change) => withHistory(change, effect));
      const all = [...own, ...(reversal.afterwards ?? [])];
      const marked = markReversal(all, effect, call, isLastOf(effect, others));
      reversed.changes.push(...marked.slice(0, own.length));
      reversed.afterwards.push(...marked.slice(own.length));
      reversed.paths.push(reversal.path);
    }
  }
  reversed.changes.unshift(...missingFolders(reversed.changes, context));
  reversed.refused = withoutNested(reversed.refused);
  return reversed;
}

/** A folder that was made for what can't be removed: it stays to be undone with it. */
function holdsBlocked({ op, path }: Effect, blocked: ReadonlyMap<string, ToolError> = new Map()): boolean {
  return op === 'mkdir' && [...blocked.keys()].some((at) => at.startsWith(`${path}/`));
}

/** Also what is in a folder that can't be made. */
function blockedIn(effect: Effect, blocked: ReadonlyMap<string, ToolError> = new Map()): Refused | undefined {
  const paths = effectPaths(effect);
  for (const [at, { message, code }] of blocked)
    if (paths.some((path) => path === at || path.startsWith(`${at}/`)))
      return { path: effect.path, refused: message, code };
  return undefined;
}

/** Why an effect is refused: a newer one that shares a name with it was. Force may fill a place that is empty. */
function refusedWithNewer(
  { path, changes }: { path: string; changes: readonly Change[] },
  effect: Effect,
  newerRefused: readonly LeftEffect[],
  isForced: boolean,
): Refused | undefined {
  const names = effectPaths(effect);
  const linked = newerRefused.find(
    ({ effect: newer }) => isLink(newer) && effectPaths(newer).some((name) => names.includes(name)),
  );
  const isFilling = changes.every((change) => 'expected' in change && change.expected === 'absent');
  if (linked === undefined || (isForced && isFilling)) return undefined;
  const { refused, code } = linked.reversal;
  return { path, refused: reasonFor(effect, { path: linked.effect.path, refused, code }), code };
}

/** The folders above restored files that nothing else makes: they are recorded, so that they go again with the files. */
function missingFolders(changes: readonly Change[], { workspace }: PlanContext): Change[] {
  const made = new Set(changes.flatMap(({ op, intent }) => (op === 'mkdir' ? [intent.path] : [])));
  return changes.flatMap(({ op, intent }) => {
    if (op !== 'put' && op !== 'move') return [];
    using place = workspace.locate(intent.path, anyLength);
    return missingDirectories(place).filter(({ intent: { path } }) => !made.has(path) && made.add(path));
  });
}

const anyLength = { followLast: false, access: 'write', pathChars: Number.MAX_SAFE_INTEGER } as const;

/** The undo of a redo must know as well what the command renamed, and what is not the call's own. */
function withHistory(change: Change, { oldName, oldNameBefore, changed, changedBefore }: Effect): Change {
  const history = {
    ...(oldNameBefore !== undefined && { oldName: oldNameBefore }),
    ...(oldName !== undefined && { oldNameBefore: oldName }),
    ...(changedBefore && { changed: changedBefore }),
    ...(changed && { changedBefore: changed }),
  };
  return { ...change, intent: { ...change.intent, ...history } };
}
