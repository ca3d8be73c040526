// `codelab approvals approve`: says yes to what waits, to some of its hunks, or gives the answer a question asks for.
import '../shared.ts';
import { type Decision, visibleLine } from '@codelab/protocol';
import { commonOptions } from '../command-line/common-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { writeText } from '../output/write-text.ts';
import { answerWaiting } from '../waiting/answer-waiting.ts';
import type { Waiting } from '../waiting/find-waiting.ts';

const { workspace, json } = commonOptions;

export const approvalsApprove = defineCommand({
  words: 'ID',
  takes: { min: 1, max: 1 },
  about:
    'Approves what waits under this id (of the approval or of the call). The first decision counts, from wherever it comes.',
  options: {
    hunks: { type: 'string', value: 'N,N', summary: 'only these hunks of the change' },
    answer: { type: 'string', value: 'ACTION', summary: 'for a question with answers of its own' },
    workspace,
    json,
  },
  examples: ['codelab approvals approve apr_3f2a --hunks 1,3'],
  async run({ words: [id = ''], options }) {
    const { waiting, decision } = await answerWaiting(id, (one) => decisionOf(options, one));
    const { approval } = waiting;
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ approval_id: approval.id, call_id: approval.callId, decision: decision.kind })}\n`
        : `Approved: ${visibleLine(approval.plan.summary)}\n`,
    );
    return 0;
  },
});

function decisionOf({ hunks, answer }: { hunks?: string; answer?: string }, { approval }: Waiting): Decision {
  if (hunks !== undefined && answer !== undefined)
    throw new UsageError('Give --hunks or --answer, not both.');
  if (hunks !== undefined) {
    if (!/^\d{1,6}(,\d{1,6})*$/.test(hunks)) throw new UsageError('--hunks takes numbers with commas: 1,3.');
    return { kind: 'hunks', take: hunks.split(',').map(Number) };
  }
  if (answer !== undefined) return { kind: 'answer', action: answer };
  const { question } = approval.plan;
  if (question === undefined) return { kind: 'approve' };
  throw new UsageError(
    `This one asks for an answer: --answer ${question.actions.map(visibleLine).join('|')}.`,
  );
}
