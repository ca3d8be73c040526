// `codelab approvals approve`: approves a pending call or some of its hunks, or answers a question of the agent.
import '../../shared.ts';
import { Breadth, type Decision, type Remember, visibleLine } from '@codelab/protocol';
import { decideApproval, type PendingApproval } from '../../approval/pending-approvals.ts';
import { commonOptions, defineCommand, UsageError } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

const { workspace, json } = commonOptions;

export const approvalsApprove = defineCommand({
  words: 'ID',
  takes: { min: 1, max: 1 },
  about: 'Approves a pending call, by the id of the approval or of the call. The first decision counts.',
  options: {
    hunks: { type: 'string', value: 'N,N', summary: 'approve only these hunks of the change' },
    remember: {
      type: 'string',
      value: 'SCOPE',
      choices: ['session', 'workspace', 'user'],
      summary:
        'also add a rule that allows this from now on, for the session, the workspace or all your workspaces',
    },
    breadth: {
      type: 'string',
      value: 'BREADTH',
      choices: ['exact', 'program', 'file', 'folder', 'all'],
      summary:
        'with --remember: what the rule covers: exactly this call, the same programs with any arguments, or edits of the file, its folder or any file (default: exact)',
    },
    widen: {
      type: 'string',
      value: 'NAMES',
      summary: 'with --remember, for MCP tools: arguments that may have any value, separated by commas',
    },
    answer: { type: 'string', value: 'ACTION', summary: 'one of the answers that the question offers' },
    workspace,
    json,
  },
  examples: [
    'codelab approvals approve apr_3f2a --hunks 1,3',
    'codelab approvals approve apr_3f2a --remember workspace --breadth program',
    'codelab approvals approve apr_3f2a --remember workspace --widen message',
  ],
  async run({ words: [id = ''], options }) {
    const { pending, decision } = await decideApproval(id, (pendingApproval) =>
      decisionOf(options, pendingApproval),
    );
    const { approval } = pending;
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ approval_id: approval.id, call_id: approval.callId, decision: decision.kind })}\n`
        : `Approved: ${visibleLine(approval.plan.summary)}\n`,
    );
    return 0;
  },
});

type Given = Partial<Record<'hunks' | 'answer' | 'remember' | 'widen' | 'breadth', string>>;

function decisionOf({ hunks, answer, ...rememberOptions }: Given, { approval }: PendingApproval): Decision {
  const remember = rememberOf(rememberOptions);
  if (remember !== undefined && (hunks !== undefined || answer !== undefined))
    throw new UsageError('Give --remember only with a plain approval, without --hunks and --answer.');
  if (hunks !== undefined && answer !== undefined)
    throw new UsageError('Give --hunks or --answer, not both.');
  if (hunks !== undefined) {
    if (!/^\d{1,6}(,\d{1,6})*$/.test(hunks)) throw new UsageError('--hunks takes numbers with commas: 1,3.');
    return { kind: 'hunks', take: hunks.split(',').map(Number) };
  }
  if (answer !== undefined) return { kind: 'answer', action: answer };
  const { question } = approval.plan;
  if (question === undefined) return { kind: 'approve', ...(remember && { remember }) };
  throw new UsageError(
    `This approval needs an answer: --answer ${question.actions.map(visibleLine).join('|')}.`,
  );
}

function rememberOf({ remember: scope, widen, breadth }: Given): Remember | undefined {
  if (scope === undefined && widen !== undefined) throw new UsageError('--widen requires --remember SCOPE.');
  if (scope === undefined && breadth !== undefined)
    throw new UsageError('--breadth requires --remember SCOPE.');
  if (scope !== 'session' && scope !== 'workspace' && scope !== 'user') return undefined;
  const names = widen?.split(',').map((name) => name.trim());
  const parsed = Breadth().safeParse(breadth);
  return { scope, ...(names && { widen: names }), ...(parsed.success && { breadth: parsed.data }) };
}
