// Carries out one message of a peer. Whatever lasts goes on beside, so that a decision is heard while the agent speaks.
import type { AskedCall } from '@codelab/dialects';
import { type ApprovalRequest, type Decision, type ToolCall, ToolError } from '@codelab/protocol';
import { profileOf } from '../sessions/agent-type.ts';
import { actorOf } from '../sessions/gateway.ts';
import type { Line } from './line.ts';
import type { ClientMessage } from './read-client-message.ts';
import { receiveProgress, receiveResult } from './receive-result.ts';

export async function carryOut(line: Line, message: ClientMessage): Promise<void> {
  const { session, peer, sender, role } = line;
  if (line.speech === 'neutral' && message.type !== 'ping')
    throw new ToolError('PERMISSION_DENIED', 'This socket only tells. Take part over HTTP, at /api/v1.');
  if (role === 'viewer' && message.type !== 'ping')
    throw new ToolError(
      'PERMISSION_DENIED',
      'A viewer only looks on. Connect with role=approver to take part.',
    );
  switch (message.type) {
    case 'ping':
      return sender.send({ type: 'pong', ...(message.id !== undefined && { id: message.id }) });
    case 'say':
      if (message.agentType !== undefined) await switchTo(line, message.agentType);
      await session.say(message.content, peer);
      if (message.messageId !== undefined) sender.send({ status: 'received', message_id: message.messageId });
      return;
    case 'switch':
      await switchTo(line, message.agentType, message.reason);
      if (message.content) await session.say(message.content, peer);
      return;
    case 'context':
      await session.changeContext(message.op, message.path && corePath(line, message.path));
      return;
    case 'cancel':
      void session.cancel(peer).catch(line.onFault);
      return;
    case 'plan':
      return await decide(line, { approvalId: message.approvalId, decision: message.decision });
    case 'spoken':
      return await carryOutSpoken(line, message);
  }
}

async function carryOutSpoken(
  line: Line,
  { dialect, message, approvalId }: Extract<ClientMessage, { type: 'spoken' }>,
): Promise<void> {
  switch (message.type) {
    case 'call':
      return begin(line, message.call);
    case 'decision': {
      const { callId } = message;
      const approval = await questionOf(line, callId, approvalId);
      const { tool, args } = approval;
      const asked = dialect.spell({ id: callId, tool, args });
      return await decide(line, {
        approvalId: approval.id,
        decision: dialect.settle(asked, message.decision),
      });
    }
    case 'result':
      return await receiveResult(line, message);
    case 'progress':
      return receiveProgress(line, message);
    case 'approval':
      throw new ToolError('INVALID_FORMAT', 'Questions are asked by the gateway.');
  }
}

/** The call is carried out beside; its result comes by the log, or at once when the log has it already. */
function begin(line: Line, asked: AskedCall): void {
  const { session, scribe, limits, onFault } = line;
  if (line.callsUnderWay >= limits.calls)
    throw new ToolError(
      'CONCURRENT_LIMIT_EXCEEDED',
      `${limits.calls} calls are under way. Wait for some to end.`,
    );
  const { id, tool, args, requiresApproval } = asked;
  const call: Omit<ToolCall, 'session'> = {
    id,
    tool,
    args,
    dialect: scribe.dialect.name,
    profile: session.profile,
    ...(requiresApproval && { requiresApproval }),
  };
  scribe.calls.remember(asked);
  line.callsUnderWay++;
  run(line, asked, call)
    .catch(onFault)
    .finally(() => {
      line.callsUnderWay--;
    });
}

async function run(line: Line, asked: AskedCall, call: Omit<ToolCall, 'session'>): Promise<void> {
  const { gateway, session, scribe, sender } = line;
  const live = await gateway.host.session(session.id);
  const earlier = live.finished(asked.id);
  const outcome = await session.call(call, actorOf(line.peer));
  const ended = live.finished(asked.id);
  if (ended === undefined || ended === earlier) sender.send(scribe.calls.result(outcome, asked));
}

async function questionOf(
  { session }: Line,
  callId: string,
  approvalId: string | undefined,
): Promise<ApprovalRequest> {
  const found = (await session.pending()).find((one) => one.callId === callId);
  if (found !== undefined && (approvalId === undefined || approvalId === found.id)) return found;
  throw new ToolError(
    'APPROVAL_NOT_FOUND',
    `No decision about the call ${callId} is waited for${found === undefined ? '' : ' any more: it was asked again'}.`,
    { reason: 'INVALID_CALL_ID' },
  );
}

async function decide(
  { session, peer }: Line,
  { approvalId, decision }: { approvalId: string; decision: Decision },
): Promise<void> {
  await session.decide({ approvalId, decision, by: { who: peer.subject, via: peer.via } });
}

async function switchTo({ session }: Line, agentType: string, reason?: string): Promise<void> {
  const profile = profileOf(agentType);
  if (profile !== session.profile || reason !== undefined) await session.switchAgent(profile, reason);
}

/** A path in the peer's spelling, as the row of the tool that reads files would take it. */
function corePath({ scribe }: Line, path: string): string {
  const { args } = scribe.dialect.ask({ id: 'context', tool: 'read_file', args: { path } });
  return String(args.path);
}
