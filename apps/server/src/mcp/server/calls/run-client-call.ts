// One call of an MCP client, for any kind of request: begin it, or join the pending one → let the client's user decide → resolve with its
// outcome. A client of 2025 gets a prompt in the middle of its request; one of 2026 gets the approval and returns with the answer; one that
// can't prompt gets a note on where to decide.
import { findDialect } from '@codelab/dialects';
import { type Actor, type ApprovalRequest, type Outcome, ToolError, visibleLine } from '@codelab/protocol';
import { digestJson, randomId } from '@codelab/runtime';
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { SharedSession } from '../../../sessions/gateway.ts';
import { type Client, RequestState, type Serving } from '../caller.ts';
import { approvalForm, askClient, readFormAnswer } from './approval-form.ts';
import type { LiveCall } from './live-calls.ts';
import { createReports } from './reports.ts';

type RequestedCall = {
  /** Our dialect's name of the tool. */
  tool: string;
  args: Record<string, unknown>;
};

export type ClientCall = Serving & { requested: RequestedCall; ctx: ServerContext; client: Client };

/** `wireArgs` are the arguments under our own names. */
export type CallResponse =
  | { outcome: Outcome; wireArgs: Record<string, unknown> }
  | { question: InputRequiredResult };

/** Throws APPROVAL_PENDING when a client that cannot ask must come back after the decision. */
export async function runClientCall(request: ClientCall): Promise<CallResponse> {
  const { wire, caller, requested, ctx, deferredCalls } = request;
  const state = readState(request);
  const session = await openSession(request, state);
  const key = JSON.stringify([session.id, caller.peer.subject, caller.profile, digestOf(request)]);
  const earlier = state?.callId ?? deferredCalls.find(key);
  const id = earlier ?? randomId();
  const wireCall = findDialect('codelab').ask({ id, ...requested, isLasting: true, isLenient: true });
  if (state !== undefined) await decideAs(request, session, state);
  const profile = caller.profile ?? session.profile;
  const call = { id, tool: wireCall.tool, args: wireCall.args, dialect: 'codelab' as const, profile };
  const isAgain = earlier !== undefined;
  const live = await wire.calls.begin(session, call, { by: actorOf(request), isAgain });
  const cancel = (): void => {
    if (!wire.isClosing()) live.cancel();
  };
  const { signal } = ctx.mcpReq;
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  try {
    const end = await follow(request, session, live);
    if ('status' in end) {
      deferredCalls.forget(key);
      return { outcome: end, wireArgs: wireCall.wire.args };
    }
    if (isHandedQuestions(request)) return { question: await handBack(request, end) };
    deferredCalls.keep(key, live);
    throw pending(end, caller.placeToDecide(session));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** For requests without a form for a failed call: throws the failure. */
export async function runClientRead(
  request: ClientCall,
): Promise<{ data: Record<string, unknown> } | { question: InputRequiredResult }> {
  const end = await runClientCall(request);
  if ('question' in end) return end;
  if (end.outcome.status === 'completed') return { data: end.outcome.data };
  const { code, message, details } = end.outcome.error;
  throw new ToolError(code, message, details);
}

/** The person, and the client they used. */
function actorOf({ caller, client }: ClientCall): Actor {
  return { who: caller.peer.subject, via: client.via };
}

function isHandedQuestions({ client, era }: ClientCall): boolean {
  return client.canAsk && era === 'modern';
}

/** Resolves with the outcome, or with an approval that the client cannot be asked while its request is open. */
async function follow(
  request: ClientCall,
  session: SharedSession,
  live: LiveCall,
): Promise<Outcome | ApprovalRequest> {
  const { wire, client, ctx, caller } = request;
  using reports = createReports(ctx);
  const by = actorOf(request);
  const { promise: deferred, resolve: leave } = Promise.withResolvers<ApprovalRequest>();
  // A client that gets progress is kept informed; but many clients give up after a minute nevertheless.
  const patienceMs = ctx.mcpReq._meta?.progressToken === undefined ? 0 : wire.patienceMs;
  const timers = new Set<NodeJS.Timeout>();
  async function reportWay(approval: ApprovalRequest): Promise<void> {
    try {
      reports.notice(await caller.tellWay(session, approval));
    } finally {
      timers.add(setTimeout(leave, patienceMs, approval));
    }
  }
  const stop = live.hear({
    progress: reports.progress,
    asked(approval, settled) {
      if (isHandedQuestions(request)) return leave(approval);
      reports.waiting(settled);
      settled.addEventListener('abort', () => timers.forEach(clearTimeout), { once: true });
      const question = client.canAsk
        ? askClient(session, approval, { ctx, by, settled, tellWay: reportWay })
        : reportWay(approval);
      // Whatever prevents the form, the approval stays pending where others can decide.
      question.catch(() => undefined);
    },
  });
  try {
    return await Promise.race([live.outcome, deferred]);
  } finally {
    stop();
    timers.forEach(clearTimeout);
  }
}

async function handBack(request: ClientCall, approval: ApprovalRequest): Promise<InputRequiredResult> {
  const requestState = await request.wire.states.mint({
    who: request.caller.peer.subject,
    session: approval.session,
    callId: approval.callId,
    approvalId: approval.id,
    wanted: digestOf(request),
  });
  return inputRequired({
    inputRequests: { approval: inputRequired.elicit(approvalForm(approval)) },
    requestState,
  });
}

// A model reads this text. The place to decide is no secret, and the text cannot decide: the page requires a sign-in, the command a
// terminal.
function pending({ plan }: ApprovalRequest, place: string): ToolError {
  return new ToolError(
    'APPROVAL_PENDING',
    `A person has to decide first: ${visibleLine(plan.summary)}. Tell the user to decide ${place}. When it is approved it runs, once; the ` +
      'same call, made again, then has its result.',
  );
}

function readState(request: ClientCall): RequestState | undefined {
  const sentBack = request.ctx.mcpReq.requestState();
  if (sentBack === undefined) return undefined;
  const state = RequestState().safeParse(sentBack).data;
  if (state?.who === request.caller.peer.subject && state.wanted === digestOf(request)) return state;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This request state belongs to another call.');
}

/** Different requests may call the same tool, and their answers have different shapes. */
function digestOf({ requested, ctx }: ClientCall): string {
  return digestJson([ctx.mcpReq.method, requested.tool, requested.args]);
}

async function openSession(
  { wire, caller, client }: ClientCall,
  state: RequestState | undefined,
): Promise<SharedSession> {
  const session =
    state === undefined
      ? await caller.openSession(client.name)
      : await wire.gateway.session(state.session, caller.peer, { mustExist: true });
  if (session.client === undefined) return session;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    'The files of this session are on another client, which runs its calls. Choose another session.',
    { field: 'session' },
  );
}

/** Applies the answer that the client sent back, if it is one and the approval is still pending. */
async function decideAs(request: ClientCall, session: SharedSession, state: RequestState): Promise<void> {
  const { ctx } = request;
  const answer = inputResponse(ctx.mcpReq.inputResponses, 'approval');
  const approval = (await session.pending()).find(({ id }) => id === state.approvalId);
  if (answer.kind !== 'elicit' || approval === undefined) return;
  const decision = readFormAnswer(approval, answer);
  const by = actorOf(request);
  await session.decide({ approvalId: approval.id, decision, by }).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
  });
}
