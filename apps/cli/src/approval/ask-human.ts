// Shows one approval at the terminal and records what the human decides. When it was settled elsewhere meanwhile, the prompt
// closes and says so. Ctrl-C cancels the call.
import '../shared.ts';
import { type Decision, ToolError } from '@codelab/protocol';
import { answerApproval, pendingApprovals } from '@codelab/runtime';
import { Interrupt } from '../terminal/interrupt.ts';
import { showPages } from '../terminal/show-pages.ts';
import { approvalText } from './approval-text.ts';
import type { Asking } from './asking.ts';
import { chooseAction } from './choose-action.ts';
import { chooseDecision } from './choose-decision.ts';
import { decisionText } from './decision-text.ts';
import { settledText } from './settled-text.ts';
import { userName } from './user-name.ts';

// The menu with its blank lines and the line that tells the outcome.
const menuRows = 10;

export async function askHuman(asking: Asking): Promise<void> {
  const { approval, terminal } = asking;
  using settled = watchSettled(asking);
  const open = { ...asking, signal: settled.signal };
  const { output, paint } = terminal;
  try {
    const lines = approvalText(approval, { columns: terminal.size().columns, paint });
    await showPages(terminal, { lines: ['', ...lines, ''], reserve: menuRows, signal: open.signal });
    const choose = approval.plan.question === undefined ? chooseDecision : chooseAction;
    for (let isRecorded = false; !isRecorded; ) isRecorded = await record(open, await choose(open));
  } catch (error) {
    if (error instanceof Interrupt) asking.interrupt();
    else if (!settled.signal.aborted) throw error;
    const end = error instanceof Interrupt ? '■ Cancelled' : await settledText(asking.host.log, approval);
    output.write(`${paint('yellow', end)}\n`);
  }
}

/** Whether the matter is closed; when the decision does not fit, says why and it is asked again. */
async function record({ host, approval, terminal }: Asking, decision: Decision): Promise<boolean> {
  const { session, id: approvalId } = approval;
  const { output, paint } = terminal;
  try {
    const by = { who: userName(), via: 'terminal' };
    await answerApproval(host, { session, approvalId, decision, by });
    output.write(`${decisionText(decision, paint)}\n`);
    return true;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    output.write(`${paint('yellow', error.message)}\n`);
    return error.code !== 'INVALID_ARGUMENTS';
  }
}

/** Aborts when the approval no longer waits, whoever settled it. */
function watchSettled({ host, approval, signal }: Asking): Disposable & { signal: AbortSignal } {
  const settled = new AbortController();
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    const session = await host.session(approval.session);
    const isSettled = (): true | undefined =>
      pendingApprovals(session).some(({ id }) => id === approval.id) ? undefined : true;
    await session.waitFor(isSettled, stop.signal);
    settled.abort();
  };
  watch().catch((error: unknown) => (stop.signal.aborted ? undefined : settled.abort(error)));
  return { signal: AbortSignal.any([signal, settled.signal]), [Symbol.dispose]: () => stop.abort() };
}
