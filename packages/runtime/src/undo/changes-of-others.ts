// What other calls have done to the workspace since a position in the log: none of it is the command's doing.
import type { FileState, SessionLog } from '@codelab/protocol';

const mostLooked = 200;

/** The state each path was left in by the latest of them. */
export async function changesOfOthers(
  log: SessionLog,
  workspace: string,
  since: number,
): Promise<Map<string, FileState | null>> {
  const changed = new Map<string, FileState | null>();
  for (const { session, seq, at } of await log.changed(workspace, mostLooked)) {
    if (at <= since) break;
    const [event] = await log.read(session, { since: seq - 1, limit: 1 });
    if (event?.body.type !== 'call.finished') continue;
    // Newest first: what was noted already is later.
    for (const { path, from, after } of event.body.outcome.effects.toReversed()) {
      if (!changed.has(path)) changed.set(path, after);
      if (from !== undefined && !changed.has(from)) changed.set(from, null);
    }
  }
  return changed;
}
