// Makes a call for a peer and answers as soon as there is something to say: it has ended, it waits for a human, or it takes its time.
import type { WireCall } from '@codelab/dialects';
import { type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import { actorOf, type Peer, type SharedSession } from '../../sessions/gateway.ts';
import type { CallFinder } from './find-call.ts';

const patienceMs = 2000;

type Caller = { peer: Peer; calls: CallFinder; isUnique: boolean };

export async function startCall(
  session: SharedSession,
  asked: WireCall,
  { peer, calls, isUnique }: Caller,
): Promise<void> {
  const done = new AbortController();
  const since = await session.head();
  const { id, tool, args, requiresApproval } = asked;
  const own = { id, tool, args, requiresApproval, profile: session.profile };
  const call: ToolCall = { ...own, session: session.id, dialect: 'plugin' };
  const ended = session.call(call, actorOf(peer));
  // What comes of it later is in the log, whatever happens to this request.
  calls.begin(call, peer, { isUnique, ended });
  const patience = AbortSignal.timeout(patienceMs);
  const asking = waitForQuestion(session, id, since, AbortSignal.any([done.signal, patience]));
  try {
    refuseDuplicate(await Promise.race([ended, asking]));
  } finally {
    done.abort();
  }
}

/** Returns when a human is asked about the call, or nothing came in time. */
async function waitForQuestion(
  session: SharedSession,
  callId: string,
  since: number,
  signal: AbortSignal,
): Promise<undefined> {
  for await (const heard of session.listen({ since, signal }))
    if (heard.type === 'event' && heard.event.body.type === 'approval.requested')
      if (heard.event.body.callId === callId) return undefined;
  return undefined;
}

// Of this one nothing is in the log: what is there belongs to the call before it.
function refuseDuplicate(outcome: Outcome | undefined): void {
  if (outcome === undefined || outcome.status === 'completed') return;
  const { code, message, details } = outcome.error;
  if (code === 'DUPLICATE_CALL') throw new ToolError(code, message, details);
}
