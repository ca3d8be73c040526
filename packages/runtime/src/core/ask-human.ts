// The ask and re-check steps: one approval and one decision in the log, the effect of the decision on the call, and whether it still holds
// when it is the call's turn.
import {
  type ApprovalRequest,
  checkPlain,
  type DecidedBy,
  type Decision,
  type EventBody,
  type Plan,
  ToolError,
  Unanswered,
} from '@codelab/protocol';
import type { RememberedRule } from '../policy/remembered-rule.ts';
import type { PlannedCall, Tool } from '../tool/define-tool.ts';
import {
  type ApprovalAnswer,
  bindingOf,
  decide,
  newApproval,
  pendingApprovals,
  tooLate,
  waitForDecision,
  waitsForAnswer,
} from './approvals.ts';
import type { CallRun, JudgedCall, JudgeStep, PlanAgain, ReadyCall, ToolArguments } from './call-run.ts';
import type { Host } from './host.ts';
import { parseArgs, planCall } from './plan-call.ts';
import { isAgreedTo } from './session/live-calls.ts';

// The ask step: one approval and one decision in the log, and the effect of the decision on the call.

const changedMeanwhile = 'What it touches was changed in the meantime; this is the new state.';

/** `why` says what changed when the human is asked again. */
export async function askHuman(
  run: CallRun,
  judged: JudgedCall,
  why: string | undefined,
): Promise<ReadyCall | PlanAgain> {
  const { session, call, limits } = run;
  const subject = { call, tool: judged.tool, args: judged.args, plan: judged.planned.plan };
  const state = session.openCalls.get(call.id);
  // After a restart the approval may still be pending, or even decided; it counts if its subject is unchanged.
  const before = state !== undefined && 'approval' in state ? state.approval : undefined;
  const isSame = before?.binding === bindingOf(subject);
  const waiting = isSame && state?.state !== 'unanswered' ? before : undefined;
  const isMoved = before !== undefined && !isSame && hasMoved(before.plan.basis, subject.plan.basis);
  const approval =
    waiting ?? newApproval(subject, judged.verdict, limits, why ?? (isMoved ? changedMeanwhile : undefined));
  if (waiting === undefined) {
    await session.commit(
      () => [...run.unrecorded, { type: 'approval.requested', callId: call.id, approval }],
      {
        about: call.id,
      },
    );
  }
  run.unrecorded = [];
  return applyDecision(run, judged, await askAndWait(run, approval));
}

/** Passes the approval to `answer` in this process; any other client may decide it as well. The first decision counts, and aborts `answer`. */
async function askAndWait(run: CallRun, approval: ApprovalRequest): Promise<ApprovalAnswer> {
  const { session, limits, signal, answer } = run;
  const isPending = session.openCalls.get(approval.callId)?.state === 'awaiting_approval';
  if (answer === undefined || !isPending) return await waitForDecision(session, approval, limits, signal);
  const decided = new AbortController();
  const failed = new AbortController();
  // An approval that can't be presented must not leave the call waiting for its deadline.
  const answering = answer(approval, AbortSignal.any([signal, decided.signal])).catch((error: unknown) =>
    failed.abort(error),
  );
  run.answering = Promise.all([run.answering, answering]);
  try {
    return await waitForDecision(session, approval, limits, AbortSignal.any([signal, failed.signal]));
  } finally {
    decided.abort();
  }
}

function applyDecision(run: CallRun, judged: JudgedCall, answer: ApprovalAnswer): ReadyCall | PlanAgain {
  if (answer.kind === 'expired' && waitsForAnswer(run.call)) throw new Unanswered();
  if (answer.kind === 'expired') throw new ToolError('APPROVAL_EXPIRED', tooLate);
  const { decision } = answer;
  switch (decision.kind) {
    case 'approve':
      return { ...judged, wasAsked: true };
    case 'answer':
      return { ...judged, wasAsked: true, answer: decision.action };
    case 'reject':
      throw refusal(decision);
    case 'edit':
      return changeTo(run, judged, decision, decision.args);
    case 'hunks': {
      const { tool, input, planned } = judged;
      const { take, edits } = decision;
      const choice = edits === undefined ? { take } : { take, edits };
      if (planned.plan.question !== undefined) return { ...judged, wasAsked: true, choice };
      if (take.length === 0)
        throw refusal({ kind: 'reject', feedback: decision.feedback ?? 'no hunk was taken' });
      if (tool.narrow === undefined || planned.plan.diff === undefined)
        throw new ToolError(
          'INVALID_ARGUMENTS',
          `${tool.name} has no hunks to choose from; approve, edit or reject it.`,
        );
      return changeTo(run, judged, decision, tool.narrow(input, planned.prepared, choice));
    }
  }
}

function refusal({ feedback, cause }: Extract<Decision, { kind: 'reject' }>): ToolError {
  if (cause === 'timeout')
    return new ToolError(
      'APPROVAL_EXPIRED',
      'Nobody answered in time where it was asked, so it was not run.',
    );
  if (cause === 'invalid')
    return new ToolError('REJECTED', `The client refused this call: ${feedback ?? 'it is not valid.'}`);
  if (feedback === undefined) return new ToolError('REJECTED', 'A human refused this call.');
  return new ToolError('REJECTED', `A human refused: ${feedback}`, { feedback });
}

function changeTo(
  run: CallRun,
  judged: JudgedCall,
  decision: Extract<Decision, { kind: 'edit' | 'hunks' }>,
  args: ToolArguments,
): PlanAgain {
  checkPlain(args, run.limits.argsDepth);
  const { feedback } = decision;
  // The caller must learn that the text of the call changed, which `hunks` alone would not say.
  const kind = decision.kind === 'hunks' && decision.edits === undefined ? 'hunks' : 'edit';
  run.consent = { risk: judged.verdict.risk, basis: judged.planned.plan.basis, shown: judged.args };
  run.changedBy = feedback === undefined ? { kind, args } : { kind, args, feedback };
  return { again: args, why: undefined };
}

type DecisionInput = {
  session: string;
  approvalId: string;
  decision: Decision;
  by: DecidedBy;
  also?: readonly EventBody[];
};

/** Records a human's decision with the rule it asks to remember. */
export async function answerApproval(
  host: Host,
  { session: id, approvalId, decision, by, also = [] }: DecisionInput,
): Promise<void> {
  const session = await host.session(id);
  await session.catchUp();
  const approval = pendingApprovals(session).find((pending) => pending.id === approvalId);
  const remembered =
    approval && 'remember' in decision ? await rememberedRule(approval, decision) : undefined;
  const ruleEvents: EventBody[] =
    remembered?.scope === 'session' ? [{ type: 'rule.remembered', rule: remembered.rule, by }] : [];
  await decide(session, { approvalId, decision, by, also: [...also, ...ruleEvents] });
  if (remembered?.scope === 'workspace' || remembered?.scope === 'user')
    await host.rules.remember(remembered.scope, remembered.rule);
}

// Most decisions remember nothing.
async function rememberedRule(
  approval: ApprovalRequest,
  decision: Decision,
): Promise<RememberedRule | undefined> {
  const { ruleToRemember } = await import('../policy/remembered-rule.ts');
  return ruleToRemember(approval, decision);
}

// The re-check step: when it is the call's turn, compares what was approved with what would be done now.

/** The call as it is now, or a new round of plan and judge. */
export async function recheck(
  run: CallRun,
  ready: ReadyCall,
  judge: JudgeStep,
): Promise<ReadyCall | PlanAgain> {
  const { tool, input, args, planned: agreed, wasAsked } = ready;
  const planned = await planConsented(run, tool, input);
  if ('again' in planned) return planned;
  const subject = { call: run.call, tool, args };
  const isSame =
    bindingOf({ ...subject, plan: planned.plan }) === bindingOf({ ...subject, plan: agreed.plan });
  if (isSame && wasAsked) return { ...ready, planned };
  const verdict = await judge(run, { tool, args, planned });
  const isAgreed = wasAsked
    ? verdict.verdict !== 'deny' && isAgreedTo(agreed.plan, planned.plan, run.host.versions)
    : verdict.verdict === 'allow';
  // The rule that allowed it may have been removed while it waited for its place.
  if (!isAgreed && isSame) return { again: args, why: undefined };
  if (!isAgreed) return startOver(run, run.consent?.shown ?? args);
  if (!isSame)
    run.unrecorded.push({ type: 'call.planned', callId: run.call.id, plan: planned.plan, verdict });
  return { ...ready, planned, verdict };
}

/**
 * Plans the call. An edited call or a choice of hunks may fit only the plan that was shown; when that plan has changed, the human is asked
 * again instead of the call failing.
 */
export async function planConsented(
  run: CallRun,
  tool: Tool,
  input: unknown,
): Promise<PlannedCall | PlanAgain> {
  const { consent } = run;
  try {
    return await planCall(run, tool, input);
  } catch (error) {
    if (consent === undefined || !(error instanceof ToolError)) throw error;
    const shown = await planCall(run, tool, parseArgs(run, tool, consent.shown));
    if (!hasMoved(consent.basis, shown.plan.basis)) throw error;
    return startOver(run, consent.shown);
  }
}

// Plans the original arguments again: the human edited or chose from a plan that no longer holds.
export function startOver(run: CallRun, args: ToolArguments): PlanAgain {
  run.consent = undefined;
  run.changedBy = undefined;
  return { again: args, why: changedMeanwhile };
}

export function hasMoved(before: Plan['basis'], now: Plan['basis']): boolean {
  const prints = new Map(before.map(({ path, print }) => [path, print]));
  return now.some(({ path, print }) => prints.has(path) && prints.get(path) !== print);
}
