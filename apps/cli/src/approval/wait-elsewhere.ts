// `--approve ask` without a terminal: the question stays in the log for whoever can answer it, until its deadline.
import '../shared.ts';
import { once } from 'node:events';
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { clockTime } from '../output/clock-time.ts';
import { writeText } from '../output/write-text.ts';

export async function waitElsewhere(approval: ApprovalRequest, signal: AbortSignal): Promise<void> {
  const { id, tool, deadline } = approval;
  writeText(
    2,
    `codelab: there is no terminal to ask in; ${visibleLine(tool)} waits for a decision (${id}) until ${clockTime(deadline)}\n`,
  );
  if (!signal.aborted) await once(signal, 'abort');
}
