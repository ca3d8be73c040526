// `--approve never`: what would be asked expires at once, and standard error says what it was.
import '../shared.ts';
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { expire, type Host } from '@codelab/runtime';
import { writeText } from '../output/write-text.ts';

export async function answerNever(host: Host, approval: ApprovalRequest): Promise<void> {
  const { tool, verdict, plan } = approval;
  await expire(await host.session(approval.session), approval);
  const why = plan.question === undefined ? `${verdict.rule}: ${verdict.reason}` : 'It asks a question.';
  writeText(
    2,
    `codelab: ${visibleLine(tool)} needs a human and nobody was asked (${visibleLine(why)})\n` +
      'codelab: run it in a terminal to decide yourself, or with --approve all to allow everything\n',
  );
}
