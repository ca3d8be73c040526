// Asks the client's user about a call: the approval as an MCP form (elicitation), and the decision read from the answer.

import { cutText } from '@codelab/agent';
import {
  type ApprovalRequest,
  type DecidedBy,
  type Decision,
  longestTimerMs,
  ToolError,
  visible,
  visibleLine,
} from '@codelab/protocol';
import type { ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server';
import type { SharedSession } from '../../../sessions/gateway.ts';

// The client's user is asked while others may decide, too: the first answer counts, and the form is then withdrawn.
type How = {
  ctx: Pick<ServerContext, 'mcpReq'>;
  by: DecidedBy;
  settled: AbortSignal;
  /** Tells a client that does not answer where else the approval can be decided. */
  tellWay(approval: ApprovalRequest): Promise<void>;
};

// The call itself enforces the deadline.
const afterDeadlineMs = 5000;

export async function askClient(
  session: SharedSession,
  approval: ApprovalRequest,
  { ctx, by, settled, tellWay }: How,
): Promise<void> {
  const { deadline } = approval;
  const timeout =
    deadline === undefined ? longestTimerMs : Math.max(0, deadline - Date.now()) + afterDeadlineMs;
  const params = { mode: 'form', ...approvalForm(approval) };
  const options = { signal: settled, timeout };
  // Clients made with the first SDK cannot withdraw the request with id 0, so that id is used for a ping.
  ctx.mcpReq.send({ method: 'ping' }, options).catch(() => undefined);
  const answer = await ctx.mcpReq
    .send({ method: 'elicitation/create', params }, options)
    .catch(() => undefined);
  if (settled.aborted) return;
  if (answer === undefined) return await tellWay(approval);
  const decision = readFormAnswer(approval, answer);
  await session.decide({ approvalId: approval.id, decision, by }).catch((error: unknown) => {
    // Another person has decided, or the deadline has passed.
    if (!(error instanceof ToolError)) throw error;
  });
}

// An approval as a form that an MCP client shows its user, and the user's answer as a decision. Only one answer approves: the form sent
// back with `approve` in it.
type Form = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>;
type Answer = { action: string; content?: unknown };

const maxShownChars = 6000;
const maxTouches = 20;
const maxReasonChars = 2000;

export function approvalForm(approval: ApprovalRequest): Form {
  const { question } = approval.plan;
  return question === undefined
    ? { message: describe(approval), requestedSchema: approveOrReject }
    : { message: `The agent asks:\n${visible(question.message)}`, requestedSchema: choose(question.actions) };
}

export function readFormAnswer({ plan }: ApprovalRequest, { action, content }: Answer): Decision {
  const { decision, reason } = isObject(content) ? content : {};
  const feedback = typeof reason === 'string' && reason.trim() !== '' ? shortened(reason) : undefined;
  if (action === 'decline') return reject(feedback);
  if (action !== 'accept') return reject('The question was closed without an answer.');
  const actions = plan.question?.actions;
  if (actions === undefined && decision === 'approve') return { kind: 'approve' };
  if (actions !== undefined && typeof decision === 'string' && actions.includes(decision))
    return { kind: 'answer', action: decision };
  return reject(decision === 'reject' ? feedback : 'The client’s answer was neither yes nor no.');
}

/** A client's answer has no checked type. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shortened(reason: string): string {
  return reason.slice(0, maxReasonChars).toWellFormed();
}

function reject(feedback: string | undefined): Decision {
  return feedback === undefined ? { kind: 'reject' } : { kind: 'reject', feedback };
}

// No option is preselected: a user who only presses Enter has not approved.
const approveOrReject: Form['requestedSchema'] = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Decision',
      description: 'approve: it runs as shown. reject: it does not run.',
      enum: ['approve', 'reject'],
    },
    reason: {
      type: 'string',
      title: 'Reason',
      description: 'Sent to the agent when you reject.',
      maxLength: maxReasonChars,
    },
  },
  required: ['decision'],
};

function choose(actions: readonly string[]): Form['requestedSchema'] {
  return {
    type: 'object',
    properties: { decision: { type: 'string', title: 'Answer', enum: [...actions] } },
    required: ['decision'],
  };
}

function describe({ tool, args, plan, verdict, again }: ApprovalRequest): string {
  const { summary, touches, notes, diff, command } = plan;
  const unlisted = touches.length - maxTouches;
  return [
    `${verdict.risk.toUpperCase()} RISK: ${visibleLine(tool)}: ${visibleLine(summary)}`,
    ...(again === undefined ? [] : [`Asked again: ${visibleLine(again)}`]),
    `Why it asks: ${visibleLine(verdict.reason)} [rule ${visibleLine(verdict.rule)}]`,
    ...touches.slice(0, maxTouches).map(({ access, path }) => `${access}: ${visibleLine(path)}`),
    ...(unlisted > 0 ? [`… and ${unlisted} more places`] : []),
    ...notes.map(visibleLine),
    ...(command === undefined ? [] : commandLines(command)),
    '',
    cutText(visible(diff?.text || JSON.stringify(args, null, 2)), maxShownChars),
    ...(diff?.truncated ? ['The change is longer than what is shown here.'] : []),
  ].join('\n');
}

function commandLines({
  cwd,
  parts,
  confinement,
}: NonNullable<ApprovalRequest['plan']['command']>): string[] {
  const { sandbox, network } = confinement;
  return [
    ...parts.slice(0, maxTouches).map(({ text, reason }) => `${visibleLine(text)}: ${visibleLine(reason)}`),
    `in ${visibleLine(cwd)}, sandbox: ${sandbox}, network: ${network ? 'yes' : 'no'}`,
  ];
}
