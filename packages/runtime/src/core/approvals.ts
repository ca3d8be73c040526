// Approvals: each is asked and decided once in the log, from any process. In an attended session it waits; elsewhere it expires as a rejection.
import { randomUUID } from 'node:crypto';
import {
  type ApprovalRequest,
  type CallState,
  choiceFault,
  type DecidedBy,
  type Decision,
  type Diff,
  type EventBody,
  type HunkChoice,
  hasExpired,
  hunksOf,
  type Limits,
  longestTimerMs,
  readDiff,
  type ToolCall,
  ToolError,
  type Verdict,
} from '@codelab/protocol';
import { digestJson } from '../platform/digest.ts';
import type { ApprovalSubject } from './call-run.ts';
import { endedBadly, finishCall } from './run-and-record.ts';
import type { LiveSession } from './session/live-session.ts';

/** Hash over everything a decision is about. */
export function bindingOf({ call, tool, args, plan }: ApprovalSubject): string {
  return digestJson([
    call.session,
    call.id,
    tool.name,
    args,
    plan.touches,
    plan.basis,
    plan.question ?? null,
    // The approval also showed how the command is confined.
    ...(plan.command === undefined ? [] : [plan.command.confinement]),
  ]);
}

export function newApproval(
  subject: ApprovalSubject,
  verdict: Verdict,
  limits: Limits,
  again?: string,
): ApprovalRequest {
  const { call, tool, args, plan } = subject;
  const now = Date.now();
  const waitMs = call.attended ? limits.attendedApprovalMs : limits.approvalMs;
  return {
    id: `apr_${randomUUID()}`,
    callId: call.id,
    session: call.session,
    tool: tool.name,
    kind: tool.kind,
    args,
    plan,
    verdict,
    binding: bindingOf(subject),
    ...(call.group && { group: call.group }),
    ...(again !== undefined && { again }),
    requestedAt: now,
    ...(waitMs !== undefined && { deadline: now + waitMs }),
  };
}

export type ApprovalAnswer = { kind: 'decided'; decision: Decision; by: DecidedBy } | { kind: 'expired' };

/** Waits for the decision in the log. At the deadline, if there is one, it writes the expiry itself, unless a decision was first. */
export async function waitForDecision(
  session: LiveSession,
  approval: ApprovalRequest,
  limits: Limits,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const { deadline } = approval;
  if (deadline !== undefined) {
    const remainingMs = Math.min(Math.max(0, deadline - Date.now()), longestTimerMs);
    timers.push(setTimeout(() => settle(expireUnanswered(session, approval), stop), remainingMs));
    if (remainingMs > limits.approvalWarnMs)
      timers.push(
        setTimeout(
          () => settle(warn(session, approval, deadline), stop),
          remainingMs - limits.approvalWarnMs,
        ),
      );
  }
  try {
    return await session.waitFor(() => answerTo(session, approval), AbortSignal.any([signal, stop.signal]));
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Records a decision. The first one holds; later ones are refused with the name of the first. */
export async function decide(
  session: LiveSession,
  given: { approvalId: string; decision: Decision; by: DecidedBy; also?: EventBody[] },
): Promise<void> {
  await session.catchUp();
  await session.commit(
    () => {
      const approval = pendingApproval(session, given.approvalId);
      if (hasExpired(approval))
        throw new ToolError(
          'APPROVAL_EXPIRED',
          'The time for this decision is over and nothing was run. Ask for the call again.',
        );
      const { approvalId, by, also = [] } = given;
      const decision = asAnswer(approval, given.decision);
      checkFits(approval, decision);
      return [{ type: 'approval.decided', callId: approval.callId, approvalId, decision, by }, ...also];
    },
    { durable: true },
  );
}

export function pendingApprovals(session: LiveSession): ApprovalRequest[] {
  return [...session.openCalls.values()].flatMap((state) =>
    state.state === 'awaiting_approval' ? [state.approval] : [],
  );
}

function pendingApproval(session: LiveSession, id: string): ApprovalRequest {
  for (const state of session.openCalls.values()) {
    if (!('approval' in state) || state.approval.id !== id) continue;
    if (state.state === 'awaiting_approval') return state.approval;
    throw alreadyDecided();
  }
  if (session.decidedApprovals.has(id)) throw alreadyDecided();
  throw new ToolError('APPROVAL_NOT_FOUND', `No approval ${id} is waiting in this session.`);
}

function alreadyDecided(): ToolError {
  return new ToolError('ALREADY_DECIDED', 'Somebody decided before; the first decision holds.');
}

// Seeds answer a question with a plain approval, which stands for the action that means yes, where one is offered.
function asAnswer({ plan: { question } }: ApprovalRequest, decision: Decision): Decision {
  if (question === undefined || decision.kind !== 'approve' || decision.remember !== undefined)
    return decision;
  const action = ['approve', 'apply'].find((name) => question.actions.includes(name));
  return action === undefined ? decision : { kind: 'answer', action };
}

function checkFits({ plan }: ApprovalRequest, decision: Decision): void {
  const { question, diff } = plan;
  switch (decision.kind) {
    case 'reject':
      return;
    case 'answer':
      if (question?.actions.includes(decision.action)) return;
      throw unfit(
        question
          ? `Answer with one of: ${question.actions.join(', ')}.`
          : 'This approval takes approve, edit, hunks or reject.',
      );
    case 'hunks':
      checkChoice(diff, decision);
      return;
    case 'approve':
    case 'edit':
      if (question === undefined) return;
      throw unfit(`Answer with one of: ${question.actions.join(', ')}.`);
  }
}

function checkChoice(diff: Diff | undefined, choice: HunkChoice): void {
  if (diff === undefined) throw unfit('There are no hunks to choose from.');
  if (choice.edits !== undefined && diff.truncated)
    throw unfit(
      'The diff was too long to be shown whole, so its hunks can be taken or left, but not edited.',
    );
  const hunks = diff.truncated
    ? Array.from<undefined>({ length: diff.hunks })
    : readDiff(diff.text).flatMap(hunksOf);
  const fault = choiceFault(hunks, choice);
  if (fault !== undefined) throw unfit(fault);
}

function unfit(text: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', text);
}

function answerTo(session: LiveSession, approval: ApprovalRequest): ApprovalAnswer | undefined {
  const state = session.openCalls.get(approval.callId);
  if (state === undefined || state.state === 'unanswered') return { kind: 'expired' };
  if (state.state === 'approved' && state.approval.id === approval.id)
    return { kind: 'decided', decision: state.decision, by: state.by };
  return undefined;
}

async function warn(session: LiveSession, approval: ApprovalRequest, deadline: number): Promise<void> {
  await session.commit(() => {
    if (!isWaiting(session.openCalls.get(approval.callId), approval)) return [];
    const secondsLeft = Math.max(0, Math.round((deadline - Date.now()) / 1000));
    return [{ type: 'approval.warned', callId: approval.callId, approvalId: approval.id, secondsLeft }];
  });
}

/** Whether the turn waits when nobody decides in time. Otherwise the call is refused, as calls of sub-agents and hooks always are. */
export function waitsForAnswer({ attended, turn, agent, by }: ToolCall): boolean {
  return attended === true && turn !== undefined && agent === undefined && by === undefined;
}

/** At the deadline the question ends, and with it the call, unless its turn waits for the answer. */
export async function expireUnanswered(session: LiveSession, approval: ApprovalRequest): Promise<void> {
  const { callId, id: approvalId } = approval;
  const state = session.openCalls.get(callId);
  if (state === undefined || !waitsForAnswer(state.call)) return await expire(session, approval);
  await session.commit(
    () =>
      isWaiting(session.openCalls.get(callId), approval)
        ? [{ type: 'approval.expired', callId, approvalId }]
        : [],
    { durable: true },
  );
}

export const tooLate = 'Nobody approved this call in time, so it was not run.';

/** Ends the call as expired, unless it was decided meanwhile. The model reads `why`. */
export async function expire(session: LiveSession, approval: ApprovalRequest, why = tooLate): Promise<void> {
  const { callId, id: approvalId, tool, requestedAt } = approval;
  const call = session.openCalls.get(callId)?.call;
  if (call === undefined) return;
  const error = new ToolError('APPROVAL_EXPIRED', why);
  const outcome = endedBadly({ call: { id: callId, tool }, startedAt: requestedAt }, error);
  await finishCall(
    session,
    { call, outcome },
    {
      before: [{ type: 'approval.expired', callId, approvalId }],
      onlyIf: () => isWaiting(session.openCalls.get(callId), approval),
      durable: true,
    },
  );
}

function isWaiting(state: CallState | undefined, approval: ApprovalRequest): boolean {
  return state?.state === 'awaiting_approval' && state.approval.id === approval.id;
}

// A timer's failure must reach the waiting call, not the process.
function settle(work: Promise<void>, stop: AbortController): void {
  work.catch((error: unknown) => stop.abort(error));
}
