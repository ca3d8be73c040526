// What a command has changed, as effects that undo can take back, and what people should know about the rest.
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import type { Effect, FileState } from '@codelab/protocol';
import { isHeld } from '../held-back/hold-back.ts';
import { digest } from '../platform/digest.ts';
import { createPauses } from '../platform/steps.ts';
import { blobsFromGit, type WantedBlob } from '../snapshot/blobs-from-git.ts';
import type { BeforeSlot } from '../snapshot/kept-before.ts';
import type { TreeBefore } from '../snapshot/tree-before.ts';
import { isSameEntry, type TreeEntry, treeEntry } from '../snapshot/tree-entry.ts';
import type { Tree } from '../snapshot/walk-tree.ts';
import {
  compareTrees,
  diskKindOf,
  type Evidence,
  folderOf,
  type TreeDifference,
  type Writer,
  whoWrote,
} from '../snapshot/who-wrote.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { changesOfOthers } from '../undo/changes-of-others.ts';
import { orderEffects } from '../undo/order-effects.ts';
import { fileStateAt } from '../workspace/commit/change.ts';
import { pruneWhenDue } from '../workspace/quarantine/prune-quarantine.ts';
import { forgetKept } from '../workspace/quarantine/quarantine.ts';
import { removeTree } from '../workspace/trees/tree.ts';
import { type NotUndoable, watchNotes } from './watch-notes.ts';

type ObservedEffects = { effects: Effect[]; notes: string[] };

// More than that is neither shown nor taken back one by one.
const mostEffects = 10_000;
const mostDigested = 16 * 1024 * 1024;

type WatchedTree = {
  before: Pick<TreeBefore, 'tree' | 'objects' | 'kept' | 'startedAt' | 'position'>;
  after: Tree;
  evidence: Evidence;
  /** The last moment at which the command was seen, when CodeLab died with it: what came later is nobody's for sure. */
  lastSeen?: number;
};

export type EffectsContext = Pick<
  RunContext,
  'home' | 'slot' | 'log' | 'workspace' | 'later' | 'lock' | 'closing'
>;

/** `held` are paths that were held back: of those nothing is left to be undone. */
export async function effectsOf(
  context: EffectsContext,
  keep: BeforeSlot,
  watched: WatchedTree,
  held: ReadonlySet<string>,
): Promise<ObservedEffects> {
  const { home, slot, log, workspace } = context;
  const { before, after } = watched;
  const all = compareTrees(before.tree, after, before.startedAt).filter(({ path }) => !isHeld(held, path));
  const others = await changesOfOthers(log, workspace.root.real, before.position);
  const meanwhile = all.filter(({ path }) => !others.has(path));
  const writers = writersOf(meanwhile, watched, workspace);
  const isOwn = ({ path }: { path: string }): boolean => writers.get(path) !== 'other';
  const own = meanwhile.filter(isOwn);
  // Changes of others come last: they are looked at only to be named.
  const differences = [...own, ...meanwhile.filter((one) => !isOwn(one))].slice(0, mostEffects);
  const items = await itemsFor(context, keep, before, differences);
  const changes = differences.flatMap((one) => effectsFor(context, keep, one, items.get(one.path)));
  const effects = orderEffects(changes.filter(isOwn)).map((effect) =>
    writers.get(effect.path) === 'uncertain' ? { ...effect, uncertain: true as const } : effect,
  );
  const kept = [...before.kept.values(), ...items.values()];
  await tidy(keep, kept, new Set(effects.map(({ trashId }) => trashId)));
  if (held.size === 0 && effects.every(({ trashId }) => trashId === undefined)) forgetKept(home, slot);
  context.later(pruneWhenDue(context));
  const refused: NotUndoable = {
    withoutOld: pathsOf(effects.filter(isWithoutOld)),
    ofOthers: pathsOf(all.filter(({ path }) => others.has(path))),
    notOfCommand: pathsOf(changes.filter((one) => !isOwn(one))),
    uncertain: pathsOf(effects.filter(({ uncertain }) => uncertain)),
    tooMany: Math.max(0, own.length - mostEffects),
    hasEffects: effects.length > 0,
  };
  return {
    effects: effects.map((effect) =>
      effect.trashId === undefined ? effect : { ...effect, trashId: `${slot}/${effect.trashId}` },
    ),
    notes: watchNotes(workspace, before.tree, after, refused),
  };
}

function writersOf(
  differences: readonly TreeDifference[],
  { before, after, evidence, lastSeen }: WatchedTree,
  { root }: RunContext['workspace'],
): Map<string, Writer> {
  const disk = diskKindOf(root.at('.'));
  const looks = { before: before.tree, after, root: treeEntry(statSync(root.at('.'))) };
  return new Map(
    differences.map((one) => {
      const writer = whoWrote(one, evidence, looks, disk);
      const isLate = lastSeen !== undefined && changedAt(one, looks) > lastSeen;
      return [one.path, isLate && writer === 'command' ? 'uncertain' : writer];
    }),
  );
}

/** The latest moment at which this may have been changed: of what is gone, or of what is in a folder, others may have been the last. */
function changedAt({ path, before, after }: TreeDifference, looks: Parameters<typeof folderOf>[1]): number {
  if (after === undefined) return folderOf(path, looks).mtimeMs;
  const isMade = after.type === 'directory' && before?.ino !== after.ino && after.bornMs > 0;
  return isMade ? after.bornMs : after.ctimeMs;
}

function pathsOf(changes: readonly { path: string }[]): string[] {
  return [...new Set(changes.map(({ path }) => path))].sort();
}

/** The item that holds what each path was. */
async function itemsFor(
  { workspace }: EffectsContext,
  keep: BeforeSlot,
  { objects, kept }: Pick<TreeBefore, 'objects' | 'kept'>,
  differences: readonly TreeDifference[],
): Promise<Map<string, string>> {
  const items = new Map<string, string>();
  const wanted: WantedBlob[] = [];
  for (const { path, before } of differences) {
    const item = kept.get(path);
    const object = objects.get(path);
    if (item !== undefined) items.set(path, item);
    else if (object !== undefined && before !== undefined) wanted.push({ path, object, entry: before });
    else if (before?.type === 'symlink') {
      const made = keep.item();
      symlinkSync(before.target ?? '', keep.slot().at(made));
      items.set(path, made);
    }
  }
  const named = new Map<string, string>();
  const found = await blobsFromGit(workspace, wanted, (path) => {
    const item = keep.item();
    named.set(path, item);
    return keep.slot().at(item);
  });
  for (const [path, item] of named) if (found.has(path)) items.set(path, item);
  return items;
}

function effectsFor(
  { workspace }: EffectsContext,
  keep: BeforeSlot,
  { path, before, after }: TreeDifference,
  item: string | undefined,
): Effect[] {
  // Looked at only to be sure, with nothing kept to compare it with: what shows no change is not called one.
  if (item === undefined && before && after && isSameEntry(before, after)) return [];
  const old = before === undefined ? null : oldState(before, keep, item);
  const now = after === undefined ? null : newState(workspace, path, after);
  const kept = item === undefined ? {} : { trashId: item };
  if (old === null) return now === null ? [] : [made(path, now)];
  if (now === null) return [{ op: 'delete', path, before: old, after: null, ...kept }];
  if (isUnchanged(old, now)) return [];
  // What becomes a folder or ceases to be one takes two steps.
  if ((old.type === 'directory') !== (now.type === 'directory'))
    return [{ op: 'delete', path, before: old, after: null, ...kept }, made(path, now)];
  return [{ op: 'update', path, before: old, after: now, ...kept }];
}

function made(path: string, after: FileState): Effect {
  return { op: after.type === 'directory' ? 'mkdir' : 'create', path, before: null, after };
}

function isUnchanged(old: FileState, now: FileState): boolean {
  if (old.type !== now.type || old.mode !== now.mode) return false;
  return old.type === 'directory' || (old.digest !== undefined && old.digest === now.digest);
}

function oldState(entry: TreeEntry, keep: BeforeSlot, item: string | undefined): FileState {
  const { type, size, mode, target } = entry;
  if (type === 'directory') return { type, size: 0, mode };
  if (type === 'symlink') return { type, size, mode, digest: digest(target ?? '') };
  if (item === undefined || size > mostDigested) return { type, size, mode };
  return { type, size, mode, digest: digest(readFileSync(keep.slot().at(item))) };
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

function isWithoutOld({ op, before, trashId }: Effect): boolean {
  return op !== 'mkdir' && before !== null && before.type !== 'directory' && trashId === undefined;
}

// What was kept for nothing need not wait for its time to end.
async function tidy(
  keep: BeforeSlot,
  items: readonly string[],
  needed: ReadonlySet<string | undefined>,
): Promise<void> {
  const pauses = createPauses();
  for (const item of items) {
    if (!needed.has(item)) removeTree(keep.slot(), item);
    if (pauses.isDue()) await pauses.rest();
  }
}
