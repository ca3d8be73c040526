// The changes of the workspace, collected from the logs of its sessions. Only new entries of a log are read again.
import { setImmediate as otherWork } from 'node:timers/promises';
import type { SessionSummary } from '@codelab/protocol';
import { type ChangeIndex, type Host, indexChanges } from '@codelab/runtime';
import { createSessionFold } from '../work/session-fold.ts';
import { type ChangingCall, changeFold } from './change-fold.ts';

export type WorkspaceChanges = {
  /** The changes of one session, oldest first. */
  of(session: string): Promise<readonly ChangingCall[]>;
  /** The changes of the whole workspace, or of one of its worktrees. */
  index(root?: string): Promise<ChangeIndex>;
};

// Older changes can't be undone: the quarantine keeps them for 14 days.
const mostSessions = 2000;
const sliceMs = 20;

export function openChanges({ log, workspace }: Host): WorkspaceChanges {
  const main = workspace.root.real;
  const fold = createSessionFold(log, changeFold, { most: mostSessions });
  const indexes = new Map<string, { heads: string; index: Promise<ChangeIndex> }>();

  async function collect(root: string, sessions: readonly SessionSummary[]): Promise<ChangeIndex> {
    const changingCalls: ChangingCall[] = [];
    let since = performance.now();
    for (const { id, head } of sessions) {
      for (const call of (await fold(id, head)).calls) changingCalls.push(call);
      if (performance.now() - since < sliceMs) continue;
      // Other requests are served while many logs are read for the first time.
      await otherWork();
      since = performance.now();
    }
    // Ordered by their positions in the log, because the clock may have gone back.
    const places = new Map(
      (await log.changed(root, changingCalls.length)).map(({ session, seq, at }) => [
        `${session}:${seq}`,
        at,
      ]),
    );
    const placeOf = ({ session, seq }: ChangingCall): number => places.get(`${session}:${seq}`) ?? 0;
    return indexChanges(changingCalls.sort((a, b) => placeOf(b) - placeOf(a)));
  }

  return {
    of: async (session) => (await fold(session)).calls,
    async index(root = main) {
      const sessions = (await log.sessions())
        .filter((summary) => summary.workspace === root)
        .slice(0, mostSessions);
      const heads = sessions.map(({ id, head }) => `${id}:${head.hash.slice(0, 16)}`).join();
      const before = indexes.get(root);
      if (before?.heads === heads) return await before.index;
      const index = collect(root, sessions);
      indexes.set(root, { heads, index });
      index.catch(() => indexes.delete(root));
      return await index;
    },
  };
}
