// Who runs a call, of all processes over one log: one claims it before it has effects; the same call id again gets the outcome of whoever
// runs it, or ran it, or a refusal when it is another call.
import { type CallState, type EventBody, type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import { isAlive } from '../platform/process-identity.ts';
import type { CallRun } from './call-run.ts';
import type { Host } from './host.ts';
import { askedOf, type LiveSession } from './live-session.ts';
import { isLeftToClient, settleUnknown } from './recover.ts';

const lookEveryMs = 5000;

export async function joinEarlier(
  host: Host,
  session: LiveSession,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  await session.catchUp();
  const open = session.openCalls.get(call.id);
  if (open === undefined && session.finished(call.id) === undefined) return undefined;
  if ((await session.asked(call.id)) !== askedOf({ call })) {
    throw new ToolError(
      'DUPLICATE_CALL',
      `The call id ${JSON.stringify(call.id)} was used before with other arguments. Use a new one.`,
    );
  }
  if (open?.state === 'running') {
    await waitForOwner(host, session, open, signal);
  }
  return await session.outcome(call.id);
}

type Running = Extract<CallState, { state: 'running' }>;

/** Until whoever runs it has recorded how it ended, or is found to be gone. */
async function waitForOwner(
  host: Host,
  session: LiveSession,
  running: Running,
  signal: AbortSignal,
): Promise<void> {
  const { id } = running.call;
  while (session.finished(id) === undefined) {
    if (!isLeftToClient(host, session, running) && !isAlive(running.owner, host.home)) {
      await settleUnknown(host, session, running);
      return;
    }
    const look = AbortSignal.timeout(lookEveryMs);
    await session
      .waitFor(() => session.finished(id), AbortSignal.any([signal, look]))
      .catch((error: unknown) => {
        if (!look.aborted || signal.aborted) throw error;
      });
  }
}

/** Writes the start of an effect to disk, unless another process has taken the call. */
export async function claimCall(run: CallRun, started: EventBody): Promise<boolean> {
  const { session, call, unsaved } = run;
  const written = await session.commit(() => (isTaken(session, call.id) ? [] : [...unsaved, started]), {
    durable: true,
    about: call.id,
  });
  run.unsaved = [];
  return written.length > 0;
}

function isTaken(session: LiveSession, callId: string): boolean {
  return session.finished(callId) !== undefined || session.openCalls.get(callId)?.state === 'running';
}

/** The outcome of a call that another process has claimed. */
export async function outcomeOfOther({ host, session, call, signal }: CallRun): Promise<Outcome> {
  const outcome = await joinEarlier(host, session, call, signal);
  if (outcome === undefined)
    throw new ToolError('INTERNAL', 'The call was taken by another process and is gone.');
  return outcome;
}
