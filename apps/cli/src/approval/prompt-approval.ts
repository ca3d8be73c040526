// Shows one approval at the terminal and records the decision. When it is decided elsewhere meanwhile, the prompt
// closes and says so. Ctrl-C cancels the call.
import '../shared.ts';
import { type ApprovalRequest, type Decision, ToolError } from '@codelab/protocol';
import { answerApproval, pendingApprovals, userName } from '@codelab/runtime';
import { Interrupt } from '../terminal/open-terminal.ts';
import { showPages } from '../terminal/pager.ts';
import { approvalCard, approvalCards, decisionText, settledText } from './approval-card.ts';
import { type ApprovalPrompt, type PromptContext, timeLeft } from './approval-prompt.ts';
import { askChoice, chooseAction, chooseDecision } from './choose-decision.ts';

/** The input line with the footer below it, and the line about the outcome. */
const answerRows = 5;
const menuRows = 10;

export async function promptApproval(prompt: ApprovalPrompt): Promise<void> {
  const { approval, terminal } = prompt;
  using settled = watchSettled(prompt, [approval]);
  const open = { ...prompt, signal: settled.signal };
  const { output, paint } = terminal;
  const isQuestion = approval.plan.question !== undefined;
  try {
    const lines = approvalCard(approval, { columns: terminal.size().columns, paint });
    const reserve = isQuestion ? menuRows : answerRows;
    await showPages(terminal, { lines: ['', ...lines, ''], reserve, signal: open.signal });
    const choose = isQuestion ? chooseAction : chooseDecision;
    for (let isRecorded = false; !isRecorded; ) isRecorded = await record(open, await choose(open));
  } catch (error) {
    if (error instanceof Interrupt) prompt.interrupt();
    else if (!settled.signal.aborted) throw error;
    const end = error instanceof Interrupt ? '■ Cancelled' : await settledText(prompt.host.log, approval);
    output.write(`${paint('yellow', end)}\n`);
  }
}

/** Calls of one reply as one question: all of them, none, or one by one. Each is decided and recorded by itself. */
export async function promptApprovals(
  place: PromptContext,
  approvals: readonly ApprovalRequest[],
): Promise<void> {
  const [first, ...others] = await stillWaiting(place, approvals);
  if (first === undefined) return;
  if (others.length === 0) return await promptApproval({ ...place, approval: first });
  const allApprovals = [first, ...others];
  using settled = watchSettled(place, allApprovals);
  const { output, paint } = place.terminal;
  try {
    const answer = await chooseForAll({ ...place, signal: settled.signal }, allApprovals);
    if (answer.kind === 'choice') {
      settled[Symbol.dispose]();
      for (const approval of allApprovals) await promptApproval({ ...place, approval });
      return;
    }
    settled[Symbol.dispose]();
    const decision: Decision = answer.kind === 'yes' ? { kind: 'approve' } : answer.no;
    for (const approval of allApprovals) await record({ ...place, approval }, decision);
  } catch (error) {
    if (error instanceof Interrupt) {
      place.interrupt();
      output.write(`${paint('yellow', '■ Cancelled')}\n`);
    } else if (!settled.signal.aborted) throw error;
    else if (!place.signal.aborted) await promptApprovals(place, allApprovals);
  }
}

async function chooseForAll(
  place: PromptContext,
  approvals: readonly ApprovalRequest[],
): ReturnType<typeof askChoice> {
  const { terminal, signal } = place;
  const { paint } = terminal;
  const { columns } = terminal.size();
  const noun = approvals.every(({ kind }) => kind === 'edit') ? 'edits' : 'calls';
  const title = paint('bold', `${approvals.length} ${noun} in one reply:`);
  const lines = ['', title, '', ...approvalCards(approvals, { columns, paint })];
  await showPages(terminal, { lines, reserve: answerRows, signal });
  const oneByOne = { key: 'o', label: 'one by one', does: 'decide each by itself', value: undefined };
  const soonest = approvals.reduce((a, b) => ((b.deadline ?? Infinity) < (a.deadline ?? Infinity) ? b : a));
  return await askChoice(place, {
    yesLabel: `yes to all ${approvals.length}`,
    choices: [oneByOne],
    timeLeft: () => timeLeft(soonest),
  });
}

async function stillWaiting(
  { host }: PromptContext,
  approvals: readonly ApprovalRequest[],
): Promise<ApprovalRequest[]> {
  const found: ApprovalRequest[] = [];
  for (const approval of approvals) {
    const session = await host.session(approval.session);
    if (pendingApprovals(session).some(({ id }) => id === approval.id)) found.push(approval);
  }
  return found;
}

/** Whether the approval is decided; when the decision does not fit, prints why and asks again. */
async function record({ host, approval, terminal }: ApprovalPrompt, decision: Decision): Promise<boolean> {
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

/** Aborts when one of the approvals is no longer pending, whoever decided it. */
function watchSettled(
  { host, signal }: PromptContext,
  approvals: readonly ApprovalRequest[],
): Disposable & { signal: AbortSignal } {
  const settled = new AbortController();
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    const session = await host.session(approvals[0]?.session ?? '');
    const isSettled = (): true | undefined => {
      const pendingIds = new Set(pendingApprovals(session).map(({ id }) => id));
      return approvals.every(({ id }) => pendingIds.has(id)) ? undefined : true;
    };
    await session.waitFor(isSettled, stop.signal);
    settled.abort();
  };
  watch().catch((error: unknown) => (stop.signal.aborted ? undefined : settled.abort(error)));
  return { signal: AbortSignal.any([signal, settled.signal]), [Symbol.dispose]: () => stop.abort() };
}
