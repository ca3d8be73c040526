// What waits for a decision in the sessions of a workspace, or of all; the oldest first.
import type { ApprovalRequest, SessionLog, SessionSummary } from '@codelab/protocol';
import { findSessions } from '../audit/find-sessions.ts';
import { waitingApprovals } from '../audit/waiting-approvals.ts';

export type Waiting = { session: SessionSummary; approval: ApprovalRequest };

/** `after` leaves out sessions in which nothing has happened since. */
export async function findWaiting(
  log: SessionLog,
  { root, after = 0 }: { root?: string | undefined; after?: number },
): Promise<Waiting[]> {
  const sessions = (await findSessions(log, { root })).filter(({ lastAt }) => lastAt >= after);
  const found: Waiting[] = [];
  for (const session of sessions)
    for (const approval of waitingApprovals(await log.read(session.id)))
      if (approval.deadline > Date.now()) found.push({ session, approval });
  return found.sort((a, b) => a.approval.requestedAt - b.approval.requestedAt);
}
