// `codelab approvals list`: the pending approvals, wherever they were asked.
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
    const waiting = await findPendingApprovals(log, { root });
    if (options.json)
      writeText(1, `${JSON.stringify({ approvals: waiting.map(({ approval }) => approval) })}\n`);
    else writeText(1, listText(waiting));
    return 0;
  },
});

function listText(waiting: readonly PendingApproval[]): string {
  if (waiting.length === 0) return 'Nothing is waiting for a decision.\n';
  const paint = paintFor(1);
  const head = ['APPROVAL', 'RISK', 'UNTIL', 'SESSION', 'WHAT'].map((text) => paint('dim', text));
  const rows = waiting.map(({ session, approval }) => [
    paint('bold', approval.id),
    paint(riskStyle(approval.verdict.risk), approval.verdict.risk),
    approval.deadline === undefined ? '-' : timeOfDay(approval.deadline),
    session.id,
    visibleLine(approval.plan.summary),
  ]);
  return `${columns([head, ...rows]).join('\n')}\n`;
}
