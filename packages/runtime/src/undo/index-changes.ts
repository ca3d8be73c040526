// An index of a workspace's changes: which of them stand, and where each replaced version of a file is stored.
import { lstatSync } from 'node:fs';
import type { Effect, FileState, Outcome } from '@codelab/protocol';
import { runInTurns } from '../platform/steps.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { fileState } from '../workspace/commit/change.ts';
import { recordedPath } from '../workspace/commit/change-position.ts';
import { type DirectoryEntry, hasItem, hasSlotOf, openItem } from '../workspace/quarantine/quarantine.ts';
import { type Inside, insideOf, nothingInside } from '../workspace/trees/disk-bytes.ts';
import { type CallChanges, type StandingCall, standingCalls } from './find-changes.ts';

/** By path: earlier versions, each with its digest and the quarantine item that holds it. */
export type Versions = ReadonlyMap<string, readonly { digest: string; trashId: string }[]>;

/** A deletion that was not undone since. */
export type Deletion = {
  session: string;
  callId: string;
  path: string;
  trashId: string;
  files: number;
  bytes: number;
  at: number;
};

export type ChangeIndex = {
  standing: readonly StandingCall[];
  versions: Versions;
  /** Newest first. */
  deletions: readonly Deletion[];
};

/** `changed` is newest first. */
export function indexChanges(changed: readonly CallChanges[]): ChangeIndex {
  const standing = standingCalls(changed);
  return { standing, versions: versionsOf(changed), deletions: deletionsOf(changed, standing) };
}

function versionsOf(changed: readonly CallChanges[]): Versions {
  const versions = new Map<string, { digest: string; trashId: string }[]>();
  for (const { outcome } of changed)
    for (const { path, before, trashId } of outcome.effects) {
      if (before?.digest === undefined || trashId === undefined) continue;
      const versionsOfPath = versions.get(path) ?? [];
      versionsOfPath.push({ digest: before.digest, trashId });
      versions.set(path, versionsOfPath);
    }
  return versions;
}

// Deletions by an undo or redo are left out, because the opposite command restores them.
function deletionsOf(changed: readonly CallChanges[], standing: readonly StandingCall[]): Deletion[] {
  const key = (session: string, callId: string): string => JSON.stringify([session, callId]);
  const outcomes = new Map(changed.map((call) => [key(call.session, call.outcome.callId), call.outcome]));
  return standing.flatMap(({ session, callId, groups, takesBack }) => {
    const outcome = outcomes.get(key(session, callId));
    if (outcome === undefined || takesBack) return [];
    return groups.flat().flatMap(({ op, path, before, trashId }): Deletion[] => {
      if (op !== 'delete' || before === null || trashId === undefined) return [];
      const at = outcome.startedAt + outcome.durationMs;
      return [{ session, callId, path, trashId, at, ...sizeOf(outcome, before.size) }];
    });
  });
}

function sizeOf(outcome: Outcome, bytes: number): { files: number; bytes: number } {
  if (outcome.tool !== 'delete_file' || outcome.status !== 'completed') return { files: 1, bytes };
  return { files: Number(outcome.data.files), bytes: Number(outcome.data.bytes) };
}

/**
 * The targets of an undo, each effect with an item that still holds the replaced content. An undo consumes the item of the effect it
 * reverses; a redo stores that version again as a new item.
 */
export function withKeptItems(
  targets: readonly StandingCall[],
  changes: readonly StandingCall[],
  home: string,
): StandingCall[] {
  const items = new Map<string, string[]>();
  for (const { path, before, trashId } of changes.flatMap(({ groups }) => groups.flat()))
    if (before?.digest !== undefined && trashId !== undefined) {
      const key = versionKey(path, before.digest);
      items.set(key, [...(items.get(key) ?? []), trashId]);
    }
  const withItem = (effect: Effect): Effect => {
    const { path, before, trashId } = effect;
    if (before?.digest === undefined || trashId === undefined || hasItem(home, trashId)) return effect;
    const itemIds = items.get(versionKey(path, before.digest)) ?? [];
    const at = itemIds.findIndex((id) => hasItem(home, id));
    // An item is moved back into place, so it serves one effect only.
    const [found = trashId] = at < 0 ? [] : itemIds.splice(at, 1);
    return { ...effect, trashId: found };
  };
  return targets.map((call) => ({ ...call, groups: call.groups.map((group) => group.map(withItem)) }));
}

function versionKey(path: string, digest: string): string {
  return JSON.stringify([path, digest]);
}

/** `folders` are those of the effects at hand. */
export type UndoContext = PlanContext & { folders?: Folders };

/** Where a folder is, or the item that has it, with what is in it: read before effects are reversed, since a tree may be large. */
export type Folders = ReadonlyMap<string, Inside>;

/** Of the folders that the effects have put back, or whose reversal puts back. */
export async function readFolders(
  effects: readonly Effect[],
  { workspace, home }: Pick<PlanContext, 'workspace' | 'home'>,
): Promise<Folders> {
  const folders = new Map<string, Inside>();
  const read = async (key: string, open: () => (DirectoryEntry & Disposable) | undefined): Promise<void> => {
    try {
      using entry = open();
      if (entry !== undefined) folders.set(key, await runInTurns(insideOf(entry.parent, entry.name)));
    } catch {
      // Gone, another entry, or closed to us: then it is not known.
    }
  };
  for (const effect of effects) {
    const { path, before, trashId } = effect;
    if (trashId !== undefined && before?.type === 'directory')
      await read(trashId, () => openItem(home, trashId));
    if (isWhole(effect)) await read(path, () => workspace.locate(path, recordedPath));
  }
  return folders;
}

/** Whether the effect put a folder there with all that is in it. */
export function isWhole({ op, after, before, trashId }: Effect): boolean {
  const isMode = before?.type === 'directory' && trashId === undefined;
  return after?.type === 'directory' && op !== 'mkdir' && op !== 'move' && !isMode;
}

/** Whether such a folder still is as it came back. */
export function isAsItCame({ path, after }: Effect, folders: Folders | undefined): boolean {
  const now = folders?.get(path);
  // Where the record does not tell, only an empty one holds nothing of anybody.
  if (now === undefined || now.inside !== (after?.inside ?? nothingInside)) return false;
  return now.mtimeMs <= (after?.mtimeMs ?? 0) + 1;
}

/** The state of what comes back from the quarantine. */
export function keptState(
  before: FileState,
  trashId: string | undefined,
  { home, folders }: UndoContext,
): FileState {
  if (trashId === undefined) return before;
  if (before.type === 'directory') return { ...before, ...folders?.get(trashId) };
  if (before.type !== 'file' || before.digest !== undefined) return before;
  using item = openItem(home, trashId);
  if (item === undefined) return before;
  const { mtimeMs } = fileState(lstatSync(item.parent.at(item.name), { bigint: true }));
  return mtimeMs === undefined ? before : { ...before, mtimeMs };
}

/** What is over the limits goes by whole slots; a single item goes when an undo restores it. */
export function noLongerKept({ path, trashId }: Effect, home: string): string {
  if (trashId === undefined) return 'its previous content was not stored';
  return hasSlotOf(home, trashId)
    ? `an earlier undo restored its previous content, so it is not stored any more; git may have it: \`git log -- ${path}\``
    : 'its previous content is no longer stored (14 days, 1 GiB)';
}
