// The pending approvals in the sessions of a workspace, or of all; oldest first.
import {
  type ApprovalRequest,
  type Decision,
  hasExpired,
  type SessionLog,
  type SessionSummary,
  ToolError,
} from '@codelab/protocol';
import { answerApproval, userName } from '@codelab/runtime';
import { compose, isFilelessWorkspace } from '@codelab/server';
import { countPendingApprovals, findSessions } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { composeOptions } from '../command-line/define-command.ts';

export type PendingApproval = { session: SessionSummary; approval: ApprovalRequest };

/** `after` leaves out sessions without an event since then. */
export async function findPendingApprovals(
  log: SessionLog,
  { root, after = 0 }: { root?: string | undefined; after?: number },
): Promise<PendingApproval[]> {
  const sessions = (await findSessions(log, { root })).filter(({ lastAt }) => lastAt >= after);
  const pending: PendingApproval[] = [];
  for (const session of sessions)
    for (const approval of countPendingApprovals(await log.read(session.id)))
      if (!hasExpired(approval)) pending.push({ session, approval });
  return pending.sort((a, b) => a.approval.requestedAt - b.approval.requestedAt);
}

/** Answers a pending approval from any terminal: the decision goes into the log, where the process that runs the call sees it. */
export async function decideApproval(
  id: string,
  choose: (pending: PendingApproval) => Decision,
): Promise<{ pending: PendingApproval; decision: Decision }> {
  const pending = await findOne(id);
  const decision = choose(pending);
  const { session, approval } = pending;
  // The workspace is the one that the approval is about, wherever the command is typed.
  const places = composeOptions({ workspace: session.workspace });
  const isFileless = isFilelessWorkspace(places.home, session.workspace);
  await using composed = await compose({ ...places, isFileless });
  const by = { who: userName(), via: 'codelab approvals' };
  await answerApproval(composed.host, { session: session.id, approvalId: approval.id, decision, by });
  return { pending, decision };
}

async function findOne(id: string): Promise<PendingApproval> {
  await using log = await openLog();
  const approvals = await findPendingApprovals(log, {});
  const isNamed = ({ approval }: PendingApproval): boolean => approval.id === id || approval.callId === id;
  const named = approvals.filter(isNamed);
  const [only = undefined, ...others] = named.length > 0 ? named : approvals.filter(beginsWith(id));
  if (only === undefined)
    throw new ToolError(
      'APPROVAL_NOT_FOUND',
      `No pending approval has the id ${id}. \`codelab approvals list --all\` lists them.`,
    );
  if (others.length > 0)
    throw new ToolError(
      'APPROVAL_NOT_FOUND',
      `Several pending approvals start with ${id}: ${[only, ...others].map(({ approval }) => approval.id).join(', ')}. Type more of the id.`,
    );
  return only;
}

/** Long enough to be no typing error, with or without the prefix that all ids share. */
function beginsWith(id: string): (pending: PendingApproval) => boolean {
  return ({ approval }) =>
    id.length >= 4 && (approval.id.startsWith(id) || approval.id.startsWith(`apr_${id}`));
}
