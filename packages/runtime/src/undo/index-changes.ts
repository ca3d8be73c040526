// An index of a workspace's changes: which of them stand, and where each replaced version of a file is stored.
import type { Effect, Outcome } from '@codelab/protocol';
import { hasItem } from '../workspace/quarantine/quarantine.ts';
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
