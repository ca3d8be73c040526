// Calls that wait in a session which is opened again, and whose caller may be gone: an answer that was given is acted on, and a question
// nobody answers in time is ended. Whoever still waits for one does the same first.
import { type ApprovalRequest, type ToolCall, ToolError } from '@codelab/protocol';
import { endedBadly, expire, type LiveSession } from '@codelab/runtime';

type Options = {
  /** Carries the call out whose question was answered, unless somebody does. */
  wake(approvalId: string): void;
  /** A call of a turn has ended that nobody was at. */
  onExpired(): void;
  onFault(error: unknown): void;
};

// Whoever waits for an answer ends its call at the deadline; a little later nobody has.
const graceMs = 1000;
// An answer that is older than this is not acted on any more.
const lateMs = 60_000;
const longestTimer = 2 ** 31 - 1;

/** Returns how to stop. */
export function adoptLeftCalls(live: LiveSession, { wake, onExpired, onFault }: Options): () => void {
  const timers: NodeJS.Timeout[] = [];

  function expireLater(approval: ApprovalRequest): void {
    const left = Math.max(0, approval.deadline - Date.now()) + graceMs;
    const end = (): void => void expire(live, approval).then(onExpired).catch(onFault);
    timers.push(setTimeout(end, Math.min(left, longestTimer)).unref());
  }

  for (const state of live.openCalls.values()) {
    if (state.state === 'awaiting_approval') expireLater(state.approval);
    if (state.state !== 'approved') continue;
    // Nobody expects any more that it happens: it was not begun, and will not be.
    if (state.approval.deadline + lateMs < Date.now() && state.call.turn === undefined)
      void giveUp(live, state.call).catch(onFault);
    else wake(state.approval.id);
  }
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}

async function giveUp(live: LiveSession, call: ToolCall): Promise<void> {
  const late = new ToolError(
    'APPROVAL_EXPIRED',
    'It was approved, but CodeLab ended before it began, and its time is over. Nothing was done; ask for it again.',
  );
  await live.commit(() => {
    if (live.openCalls.get(call.id)?.state !== 'approved') return [];
    const outcome = endedBadly({ call, startedAt: Date.now() }, late);
    return [{ type: 'call.finished', callId: call.id, outcome }];
  });
}
