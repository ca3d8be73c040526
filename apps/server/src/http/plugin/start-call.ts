// Makes a call for a peer and answers as soon as it has ended, waits for a human, or takes longer than a moment.
import type { WireCall } from '@codelab/dialects';
import { type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import { actorOf, type Peer, type SharedSession } from '../../sessions/gateway.ts';
import type { CallFinder } from './find-call.ts';

const patienceMs = 2000;

type Caller = { peer: Peer; calls: CallFinder; isUnique: boolean };

export async function startCall(
  session: SharedSession,
  wireCall: WireCall,
  { peer, calls, isUnique }: Caller,
): Promise<void> {
  const finished = new AbortController();
  const since = await session.head();
  const { id, tool, args, requiresApproval } = wireCall;
  const fields = { id, tool, args, requiresApproval, profile: session.profile };
  const call: ToolCall = { ...fields, session: session.id, dialect: 'plugin' };
  const ended = session.call(call, actorOf(peer));
  // The log gets the outcome later, whatever happens to this request.
  calls.begin(call, peer, { isUnique, ended });
  const patience = AbortSignal.timeout(patienceMs);
  const question = waitForQuestion(session, id, since, AbortSignal.any([finished.signal, patience]));
  try {
    refuseDuplicate(await Promise.race([ended, question]));
  } finally {
    finished.abort();
  }
}

/** Returns when a human is asked about the call, or nothing came in time. */
async function waitForQuestion(
  session: SharedSession,
  callId: string,
  since: number,
  signal: AbortSignal,
): Promise<undefined> {
  for await (const message of session.listen({ since, signal }))
    if (message.type === 'event' && message.event.body.type === 'approval.requested')
      if (message.event.body.callId === callId) return undefined;
  return undefined;
}

// A duplicate call has no entries: those in the log belong to the first one.
function refuseDuplicate(outcome: Outcome | undefined): void {
  if (outcome === undefined || outcome.status === 'completed') return;
  const { code, message, details } = outcome.error;
  if (code === 'DUPLICATE_CALL') throw new ToolError(code, message, details);
}
