// The changes of a command, as effects that undo can revert, and notes about the rest.
import { statSync, symlinkSync } from 'node:fs';
import type { Effect, FileState } from '@codelab/protocol';
import { isHeld } from '../held-back/take-each.ts';
import { digest, digestOfFile } from '../platform/digest.ts';
import { runInTurns } from '../platform/steps.ts';
import { blobsFromGit, type WantedBlob } from '../snapshot/blobs-from-git.ts';
import { type BeforeSlot, defaultBudget, keptItem, removeUnneeded } from '../snapshot/kept-before.ts';
import { isStored } from '../snapshot/packed-copies.ts';
import { hadEnded, readSavedTrace } from '../snapshot/saved-before.ts';
import { findOldNames, type TreeBefore } from '../snapshot/tree-before.ts';
import {
  diskKindOf,
  isSameEntry,
  type TreeDifference,
  type TreeEntry,
  treeEntry,
} from '../snapshot/tree-entry.ts';
import type { Tree } from '../snapshot/walk-tree.ts';
import {
  changedAt,
  compareTrees,
  type Evidence,
  isNamed,
  isShownBy,
  type Writer,
  whoWrote,
} from '../snapshot/who-wrote.ts';
import { isCutShort, isTraced, type WriteTrace } from '../snapshot/write-trace.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { changesMeanwhile, type OtherCalls } from '../undo/changes-of-others.ts';
import { orderEffects } from '../undo/order-effects.ts';
import { fileStateAt } from '../workspace/commit/change.ts';
import { pruneWhenDue } from '../workspace/quarantine/prune-quarantine.ts';
import { forgetKept } from '../workspace/quarantine/quarantine.ts';
import {
  isUnchanged,
  isWithoutOld,
  leftOutChanges,
  type NotUndoable,
  pathsOf,
  recordable,
  watchNotes,
} from './watch-notes.ts';

/** `notRecorded` counts the changes beyond the bound. */
type ObservedEffects = { effects: Effect[]; notes: string[]; notRecorded: number };

type WatchedTree = {
  before: Pick<TreeBefore, 'tree' | 'namesLeftOut' | 'objects' | 'kept' | 'startedAt' | 'position'>;
  after: Tree;
  evidence: Evidence;
  /** When the command was last seen, if CodeLab died with it: later changes are attributed to nobody. */
  lastSeen?: number;
  /** How many changes are recorded. */
  maxEffects?: number | undefined;
};

export type EffectsContext = Pick<
  RunContext,
  'home' | 'slot' | 'log' | 'workspace' | 'later' | 'lock' | 'closing' | 'session' | 'callId'
>;

/** `held` are the held-back paths: nothing of them is left to undo. */
export async function effectsOf(
  context: EffectsContext,
  keep: BeforeSlot,
  watched: WatchedTree,
  held: ReadonlySet<string>,
): Promise<ObservedEffects> {
  const { home, slot, workspace } = context;
  const { before, after } = watched;
  const diffs = compareTrees(before.tree, after, before.startedAt).filter(({ path }) => !isHeld(held, path));
  const others = await changesMeanwhile(context, before.position, (call) =>
    hadEnded(call, before.startedAt, home),
  );
  const meanwhile = diffs.filter(({ path }) => !others.owns(path));
  const running = others.running.map((call) => ({
    ...call,
    trace: readSavedTrace({ home, slot: call.slot }),
  }));
  const writers = writersOf(meanwhile, watched, workspace, { ...others, running });
  const isOwn = ({ path }: { path: string }): boolean => writers.get(path) !== 'other';
  const { differences, beyond } = recordable(meanwhile, isOwn, {
    objects: before.objects,
    maxEffects: watched.maxEffects ?? defaultBudget.effects,
  });
  const items = await itemsFor(context, keep, before, differences);
  const leftOut = leftOutChanges(workspace, { before, trace: watched.evidence.trace });
  const oldNames = findOldNames(differences, before, { present: after.entries, isOwn, ...leftOut });
  const changes = differences.flatMap((difference) =>
    effectsFor(context, keep, difference, { items, oldNames }),
  );
  const effects = orderEffects(changes.filter(isOwn)).map((effect) =>
    writers.get(effect.path) === 'uncertain' ? { ...effect, uncertain: true as const } : effect,
  );
  const needed = new Set(effects.flatMap(({ trashId }) => trashId ?? []));
  await removeUnneeded(keep, [...before.kept.values(), ...items.values()], needed);
  if (held.size === 0 && needed.size === 0) await runInTurns(forgetKept(home, slot));
  context.later(pruneWhenDue(context));
  const refused: NotUndoable = {
    removedWithoutOld: pathsOf(effects.filter((effect) => isWithoutOld(effect) && effect.op === 'delete')),
    withoutOld: pathsOf(effects.filter((effect) => isWithoutOld(effect) && effect.op !== 'delete')),
    ofOthers: pathsOf(diffs.filter(({ path }) => others.owns(path))),
    notOfCommand: pathsOf(changes.filter((change) => !isOwn(change))),
    uncertain: pathsOf(effects.filter(({ uncertain }) => uncertain)),
    notRecorded: pathsOf(beyond),
    hasEffects: effects.length > 0,
  };
  return {
    effects: effects.map((effect) =>
      effect.trashId === undefined ? effect : { ...effect, trashId: `${slot}/${effect.trashId}` },
    ),
    notes: watchNotes(before.tree, after, leftOut, refused),
    notRecorded: beyond.length,
  };
}

function writersOf(
  differences: readonly TreeDifference[],
  { before, after, evidence, lastSeen }: WatchedTree,
  { root }: RunContext['workspace'],
  others: TracedCalls,
): Map<string, Writer> {
  const disk = diskKindOf(root.at('.'));
  const trees = { before: before.tree, after, root: treeEntry(statSync(root.at('.'))) };
  return new Map(
    differences.map((difference) => {
      const at = changedAt(difference, trees);
      const writer = whoWrote(difference, evidence, trees, disk);
      const isCut = evidence.trace !== undefined && isCutShort(evidence.trace, difference.path, at);
      const isLate = lastSeen !== undefined && at > lastSeen && !isCut;
      const alone = isLate && writer === 'command' ? 'uncertain' : writer;
      return [difference.path, writerAmong(others, { difference, evidence, writer: alone, at })];
    }),
  );
}

/** `writer` is who it was as far as the command's own traces tell; `at`, the latest time at which the path may have been changed. */
type Attribution = { difference: TreeDifference; evidence: Evidence; writer: Writer; at: number };

type TracedCall = OtherCalls['running'][number] & { trace: WriteTrace | undefined };
type TracedCalls = Pick<OtherCalls, 'doubtful'> & { running: readonly TracedCall[] };

// While a command of another session runs, only a path in the command's trace or words, or a file it had open, is the command's for sure; one
// in the trace or words of the other call is that call's.
function writerAmong(others: TracedCalls, { difference, evidence, writer, at }: Attribution): Writer {
  const { path } = difference;
  const { trace: own } = evidence;
  const isOwnToo = own !== undefined && isTraced(own, difference);
  if (writer === 'other' && !isOwnToo) return writer;
  const rivals = others.running.filter(({ startedAt }) => startedAt <= at + toleranceMs);
  const isTheirs = rivals.some(({ trace, names }) =>
    trace === undefined ? isNamed(path, names) : isTraced(trace, difference),
  );
  if (isShownBy(evidence, difference)) return isTheirs || others.doubtful.has(path) ? 'uncertain' : writer;
  if (isTheirs) return 'other';
  const isUnknown = rivals.some(({ isCommand, trace }) => isCommand && trace === undefined);
  const mayBeTheirs = others.doubtful.has(path) || isUnknown;
  return mayBeTheirs ? 'uncertain' : writer;
}

// Files get their times from a clock that is behind by up to a tick of the kernel.
const toleranceMs = 20;

/** The quarantine item that holds the old content of each path. */
async function itemsFor(
  { workspace }: EffectsContext,
  keep: BeforeSlot,
  { objects, kept }: Pick<TreeBefore, 'objects' | 'kept'>,
  differences: readonly TreeDifference[],
): Promise<Map<string, string>> {
  const items = new Map<string, string>();
  const wantedBlobs: WantedBlob[] = [];
  for (const { path, before } of differences) {
    const item = keptItem(keep, kept, path, before);
    const object = objects.get(path);
    if (item !== undefined) items.set(path, item);
    else if (object !== undefined && before !== undefined) wantedBlobs.push({ path, object, entry: before });
    else if (before?.type === 'symlink') {
      const keptItemId = keep.item();
      const at = keep.slot().at(keptItemId);
      if (isStored(at, () => symlinkSync(before.target ?? '', at))) items.set(path, keptItemId);
    }
  }
  const itemOf = new Map<string, string>();
  const blobs = await blobsFromGit(workspace, wantedBlobs, (path) => {
    const item = keep.item();
    itemOf.set(path, item);
    return keep.slot().at(item);
  });
  for (const [path, item] of itemOf) if (blobs.has(path)) items.set(path, item);
  return items;
}

/** By path: the quarantine item with the old content, and the old name of an entry that the command renamed. */
type Known = { items: ReadonlyMap<string, string>; oldNames: ReadonlyMap<string, string | null> };

function effectsFor(
  { workspace }: EffectsContext,
  keep: BeforeSlot,
  { path, before, after }: TreeDifference,
  { items, oldNames }: Known,
): Effect[] {
  const [item, oldName] = [items.get(path), oldNames.get(path)];
  // The entry was included only to be sure, and nothing was kept to compare with: without a visible change it is not reported.
  if (item === undefined && before && after && isSameEntry(before, after)) return [];
  const old = before === undefined ? null : oldState(before, keep, item);
  const now = after === undefined ? null : newState(workspace, path, after);
  const keptItem = item === undefined ? {} : { trashId: item };
  const renamed = oldName === undefined ? {} : { oldName };
  if (old === null) return now === null ? [] : [{ ...creationOf(path, now), ...renamed }];
  if (now === null) return [{ op: 'delete', path, before: old, after: null, ...keptItem }];
  if (isUnchanged(old, now)) return [];
  // A file that becomes a folder, or the reverse, takes two steps.
  if ((old.type === 'directory') !== (now.type === 'directory'))
    return [
      { op: 'delete', path, before: old, after: null, ...keptItem },
      { ...creationOf(path, now), ...renamed },
    ];
  return [{ op: 'update', path, before: old, after: now, ...keptItem, ...renamed }];
}

function creationOf(path: string, after: FileState): Effect {
  return { op: after.type === 'directory' ? 'mkdir' : 'create', path, before: null, after };
}

function oldState(entry: TreeEntry, keep: BeforeSlot, item: string | undefined): FileState {
  const { type, size, mode, target } = entry;
  if (type === 'directory') return { type, size: 0, mode };
  if (type === 'symlink') return { type, size, mode, digest: digest(target ?? '') };
  const copied = item === undefined ? {} : digestOfFile(keep.slot().at(item), size);
  return { type, size, mode, ...copied };
}

function newState(workspace: RunContext['workspace'], path: string, entry: TreeEntry): FileState | null {
  const { type, size, mode } = entry;
  if (type === 'directory') return { type, size: 0, mode };
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat === undefined ? null : fileStateAt(place, place.stat);
  } catch {
    return { type, size, mode };
  }
}
