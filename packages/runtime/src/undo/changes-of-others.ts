// What other calls have changed in the workspace since a position in the log: none of it was done by the command.
import type { FileState, SessionLog } from '@codelab/protocol';
import { changedCalls } from './find-changes.ts';

/** The state in which the latest of them left each path. */
export async function changesOfOthers(
  log: SessionLog,
  workspace: string,
  since: number,
): Promise<Map<string, FileState | null>> {
  const changed = new Map<string, FileState | null>();
  for await (const { at, outcome } of changedCalls(log, workspace)) {
    if (at <= since) break;
    // Newest first: a path that is already recorded has a later state.
    for (const { path, from, after } of outcome.effects.toReversed()) {
      if (!changed.has(path)) changed.set(path, after);
      if (from !== undefined && !changed.has(from)) changed.set(from, null);
    }
  }
  return changed;
}
