// One `tools/call`: find the tool → begin the call, or join the one that was asked about → let the client's user decide what is asked →
// tell how it ended. A client of 2025 is asked in the middle of its request; one of 2026 is handed the question and comes back with the answer.
import { findDialect } from '@codelab/dialects';
import { type ApprovalRequest, type DecidedBy, type Outcome, ToolError } from '@codelab/protocol';
import { digestJson, randomId } from '@codelab/runtime';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { SharedSession } from '../../gateway/gateway.ts';
import { approvalForm, readAnswer } from './approval-form.ts';
import { askClient } from './ask-client.ts';
import type { AskedState, Caller, Wire } from './caller.ts';
import type { Client } from './client-of.ts';
import type { LiveCall } from './live-call.ts';
import { findOffered, type Offered, offeredTools } from './offered-tools.ts';
import { createReports } from './reports.ts';
import { tellFailure, tellOutcome } from './tell-outcome.ts';

export type Serving = {
  wire: Wire;
  caller: Caller;
  /** Whether the client holds a line on which it can be asked something. */
  era: 'legacy' | 'modern';
};

type Wanted = { name: string; args: Record<string, unknown> };
type Request = Serving & { wanted: Wanted; ctx: ServerContext; client: Client; by: DecidedBy };

export async function serveCall(
  serving: Serving,
  { name, args, ctx, client }: Wanted & { ctx: ServerContext; client: Client },
): Promise<CallToolResult | InputRequiredResult> {
  const { wire, caller } = serving;
  const by = { who: caller.peer.subject, via: client.via };
  const request = { ...serving, wanted: { name, args }, ctx, client, by };
  try {
    const offered = findOffered(await offeredTools(wire.gateway.host, caller.profile), name);
    if (offered === undefined) throw unknownTool(name);
    return await carry(request, offered);
  } catch (error) {
    if (error instanceof ToolError) return tellFailure(error);
    if (!(error instanceof ProtocolError)) wire.onFault(error);
    throw error;
  }
}

async function carry(request: Request, offered: Offered): Promise<CallToolResult | InputRequiredResult> {
  const { wire, caller, wanted, ctx } = request;
  const state = readState(request);
  const id = state?.callId ?? randomId();
  const { tool, args } = findDialect('codelab').ask({
    id,
    tool: offered.row.name,
    args: wanted.args,
    isLasting: true,
  });
  const session = await openSession(request, state);
  if (state !== undefined) await decideAs(request, session, state);
  const profile = caller.profile ?? session.profile;
  const call = { id, tool, args, dialect: 'codelab' as const, profile };
  const isAgain = state !== undefined;
  const live = await wire.calls.begin(session, call, { who: caller.peer.subject, isAgain });
  const cancel = (): void => {
    if (!wire.isClosing()) live.cancel();
  };
  const { signal } = ctx.mcpReq;
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  try {
    const end = await follow(request, session, live);
    if ('status' in end) return tellOutcome(offered, wanted.args, end);
    return await handBack(request, end);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Resolves with the outcome, or with a question that the client is handed. */
async function follow(
  { era, client, ctx, by, caller }: Request,
  session: SharedSession,
  live: LiveCall,
): Promise<Outcome | ApprovalRequest> {
  using reports = createReports(ctx);
  const { promise: handed, resolve: hand } = Promise.withResolvers<ApprovalRequest>();
  const tellWay = async (approval: ApprovalRequest): Promise<void> =>
    reports.notice(await caller.tellWay(session, approval));
  const stop = live.hear({
    progress: reports.progress,
    asked(approval, settled) {
      if (client.canAsk && era === 'modern') return hand(approval);
      reports.waiting(settled);
      const told = client.canAsk
        ? askClient(session, approval, { ctx, by, settled, tellWay })
        : tellWay(approval);
      // Whatever keeps it from being asked here, it waits where others can decide.
      told.catch(() => undefined);
    },
  });
  try {
    return await Promise.race([live.outcome, handed]);
  } finally {
    stop();
  }
}

async function handBack(
  { wire, caller, wanted }: Request,
  approval: ApprovalRequest,
): Promise<InputRequiredResult> {
  const requestState = await wire.states.mint({
    who: caller.peer.subject,
    session: approval.session,
    callId: approval.callId,
    approvalId: approval.id,
    wanted: digestOf(wanted),
  });
  return inputRequired({
    inputRequests: { approval: inputRequired.elicit(approvalForm(approval)) },
    requestState,
  });
}

function readState({ ctx, caller, wanted }: Request): AskedState | undefined {
  const state = ctx.mcpReq.requestState<AskedState>();
  if (state === undefined) return undefined;
  if (state.who === caller.peer.subject && state.wanted === digestOf(wanted)) return state;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This request state belongs to another call.');
}

function digestOf({ name, args }: Wanted): string {
  return digestJson([name, args]);
}

async function openSession(
  { wire, caller, client }: Request,
  state: AskedState | undefined,
): Promise<SharedSession> {
  const session =
    state === undefined
      ? await caller.openSession(client.name)
      : await wire.gateway.session(state.session, caller.peer, { mustExist: true });
  if (session.client === undefined) return session;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    'The files of this session are with another client, which carries its calls out. Choose another session.',
    { field: 'session' },
  );
}

/** What the client brought back, if it is an answer and nobody was first. */
async function decideAs({ ctx, by }: Request, session: SharedSession, state: AskedState): Promise<void> {
  const answer = inputResponse(ctx.mcpReq.inputResponses, 'approval');
  const approval = (await session.pending()).find(({ id }) => id === state.approvalId);
  if (answer.kind !== 'elicit' || approval === undefined) return;
  const decision = readAnswer(approval, answer);
  await session.decide({ approvalId: approval.id, decision, by }).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
  });
}

function unknownTool(name: string): ProtocolError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${shown} here. \`tools/list\` names them.`,
  );
}
