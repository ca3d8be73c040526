// What other calls have done to the workspace since a position in the log: none of it is the command's doing.
import type { FileState, SessionLog } from '@codelab/protocol';
import { changedCalls } from './find-changes.ts';

/** The state each path was left in by the latest of them. */
export async function changesOfOthers(
  log: SessionLog,
  workspace: string,
  since: number,
): Promise<Map<string, FileState | null>> {
  const changed = new Map<string, FileState | null>();
  for await (const { at, outcome } of changedCalls(log, workspace)) {
    if (at <= since) break;
    // Newest first: what was noted already is later.
    for (const { path, from, after } of outcome.effects.toReversed()) {
      if (!changed.has(path)) changed.set(path, after);
      if (from !== undefined && !changed.has(from)) changed.set(from, null);
    }
  }
  return changed;
}
