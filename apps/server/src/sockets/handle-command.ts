// Runs one command of a peer. Long work runs in the background, so that a decision is handled while the agent speaks.
import type { SocketCommand, WireCall } from '@codelab/dialects';
import { type ApprovalRequest, type Decision, type ToolCall, ToolError } from '@codelab/protocol';
import { actorOf, profileOf } from '../sessions/gateway.ts';
import type { SocketConnection } from './connection.ts';
import { receiveProgress, receiveResult } from './receive-result.ts';

export async function handleCommand(connection: SocketConnection, command: SocketCommand): Promise<void> {
  const { session, peer, sender, encoder } = connection;
  refuseListener(connection, command);
  switch (command.type) {
    case 'ping':
      return sender.send(encoder.pong(command.id));
    case 'say':
      if (command.agentType !== undefined) await switchTo(connection, command.agentType);
      await session.send(command.content, peer, { delivery: command.delivery });
      if (command.messageId !== undefined) sender.send(encoder.receipt(command.messageId));
      return;
    case 'switch':
      await switchTo(connection, command.agentType, command.reason);
      if (command.content) await session.say(command.content, peer);
      return;
    case 'context':
      return await changeContext(connection, command);
    case 'cancel':
      void session.cancel(peer).catch(connection.onFault);
      return;
    case 'plan':
      return await decide(connection, { approvalId: command.approvalId, decision: command.decision });
    case 'tool':
      return await handleToolMessage(connection, command);
  }
}

function refuseListener({ speech, role }: SocketConnection, { type }: SocketCommand): void {
  if (type === 'ping') return;
  if (speech === 'neutral')
    throw new ToolError('PERMISSION_DENIED', 'This socket only tells. Take part over HTTP, at /api/v1.');
  if (role === 'viewer')
    throw new ToolError(
      'PERMISSION_DENIED',
      'A viewer only looks on. Connect with role=approver to take part.',
    );
}

async function changeContext(
  { session, encoder }: SocketConnection,
  { op, path, content, sessionId }: Extract<SocketCommand, { type: 'context' }>,
): Promise<void> {
  // A peer that has not read its session's real name yet may still call it new_….
  if (sessionId !== undefined && sessionId !== session.id && !sessionId.startsWith('new_'))
    throw new ToolError('INVALID_ARGUMENTS', `\`session_id\` is not this session’s: it is ${session.id}.`, {
      field: 'session_id',
    });
  await session.changeContext(op, path && encoder.namePath(path), content);
}

async function handleToolMessage(
  connection: SocketConnection,
  { message, approvalId }: Extract<SocketCommand, { type: 'tool' }>,
): Promise<void> {
  const { dialect } = connection.encoder;
  switch (message.type) {
    case 'call':
      return begin(connection, message.call);
    case 'decision': {
      const { callId } = message;
      const approval = await questionOf(connection, callId, approvalId);
      const { tool, args } = approval;
      const wireCall = dialect.spell({ id: callId, tool, args });
      return await decide(connection, {
        approvalId: approval.id,
        decision: dialect.settle(wireCall, message.decision),
      });
    }
    case 'result':
      return await receiveResult(connection, message);
    case 'progress':
      return receiveProgress(connection, message);
    case 'approval':
      throw new ToolError('INVALID_FORMAT', 'Questions are asked by the gateway.');
  }
}

/** The call runs in the background; its result arrives through the log, or immediately when the log has it already. */
function begin(connection: SocketConnection, wireCall: WireCall): void {
  const { session, encoder, limits, onFault } = connection;
  if (connection.runningCalls >= limits.calls)
    throw new ToolError(
      'CONCURRENT_LIMIT_EXCEEDED',
      `${limits.calls} calls are under way. Wait for some to end.`,
    );
  const { id, tool, args, requiresApproval } = wireCall;
  const call: Omit<ToolCall, 'session'> = {
    id,
    tool,
    args,
    dialect: encoder.dialect.name,
    profile: session.profile,
    ...(requiresApproval && { requiresApproval }),
  };
  encoder.calls.remember(wireCall);
  connection.runningCalls++;
  run(connection, wireCall, call)
    .catch(onFault)
    .finally(() => {
      connection.runningCalls--;
    });
}

async function run(
  connection: SocketConnection,
  wireCall: WireCall,
  call: Omit<ToolCall, 'session'>,
): Promise<void> {
  const { gateway, session, encoder, sender } = connection;
  const live = await gateway.host.session(session.id);
  const earlier = live.finished(wireCall.id);
  const outcome = await session.call(call, actorOf(connection.peer));
  const ended = live.finished(wireCall.id);
  if (ended === undefined || ended === earlier) sender.send(encoder.calls.result(outcome, wireCall));
}

async function questionOf(
  { session }: SocketConnection,
  callId: string,
  approvalId: string | undefined,
): Promise<ApprovalRequest> {
  const found = (await session.pending()).find((approval) => approval.callId === callId);
  if (found !== undefined && (approvalId === undefined || approvalId === found.id)) return found;
  throw new ToolError(
    'APPROVAL_NOT_FOUND',
    `No decision about the call ${callId} is waited for${found === undefined ? '' : ' any more: it was asked again'}.`,
    { reason: 'INVALID_CALL_ID' },
  );
}

async function decide(
  { session, peer }: SocketConnection,
  { approvalId, decision }: { approvalId: string; decision: Decision },
): Promise<void> {
  await session.decide({ approvalId, decision, by: { who: peer.subject, via: peer.via } });
}

async function switchTo({ session }: SocketConnection, agentType: string, reason?: string): Promise<void> {
  const profile = profileOf(agentType);
  if (profile !== session.profile || reason !== undefined) await session.switchAgent(profile, reason);
}
