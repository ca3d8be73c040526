// `codelab approvals list`: the pending approvals of all sessions.
import '../../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { findPendingApprovals, type PendingApproval } from '../../approval/pending-approvals.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions, defineCommand, realRoot } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor, riskStyle } from '../../output/paint.ts';
import { columns } from '../../output/text-width.ts';
import { timeOfDay } from '../../output/units.ts';

const { workspace, json } = commonOptions;

export const approvalsList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: 'Lists pending approvals of this workspace, oldest first. Works without a running gateway.',
  options: { all: { type: 'boolean', summary: 'include all workspaces' }, workspace, json },
  async run({ options }) {
    await using log = await openLog();
    const root = options.all ? undefined : realRoot(options.workspace);
    const pending = await findPendingApprovals(log, { root });
    if (options.json)
      writeText(1, `${JSON.stringify({ approvals: pending.map(({ approval }) => approval) })}\n`);
    else writeText(1, listText(pending));
    return 0;
  },
});

function listText(pending: readonly PendingApproval[]): string {
  if (pending.length === 0) return 'Nothing is waiting for a decision.\n';
  const paint = paintFor(1);
  const head = ['APPROVAL', 'RISK', 'UNTIL', 'SESSION', 'WHAT'].map((text) => paint('dim', text));
  const rows = pending.map(({ session, approval }) => [
    paint('bold', approval.id),
    paint(riskStyle(approval.verdict.risk), approval.verdict.risk),
    approval.deadline === undefined ? '-' : timeOfDay(approval.deadline),
    session.id,
    visibleLine(approval.plan.summary),
  ]);
  return `${columns([head, ...rows]).join('\n')}\n`;
}
