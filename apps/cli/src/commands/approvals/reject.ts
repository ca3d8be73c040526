// `codelab approvals reject`: rejects a pending call, with an optional message for the agent.
import '../../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { decideApproval } from '../../approval/pending-approvals.ts';
import { commonOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

const { workspace, json } = commonOptions;

export const approvalsReject = defineCommand({
  words: 'ID',
  takes: { min: 1, max: 1 },
  about: 'Rejects a pending call, by the id of the approval or of the call. The first decision counts.',
  options: {
    feedback: { type: 'string', value: 'TEXT', summary: 'reason, sent to the agent' },
    workspace,
    json,
  },
  examples: ['codelab approvals reject apr_3f2a --feedback "not on this branch"'],
  async run({ words: [id = ''], options }) {
    const feedback = options.feedback === undefined ? {} : { feedback: options.feedback };
    const { pending } = await decideApproval(id, () => ({ kind: 'reject', ...feedback }));
    const { approval } = pending;
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ approval_id: approval.id, call_id: approval.callId, decision: 'reject' })}\n`
        : `Rejected: ${visibleLine(approval.plan.summary)}\n`,
    );
    return 0;
  },
});
