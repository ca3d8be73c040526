// Calls that were waiting in a session when it was opened, and whose caller may be gone: a decision starts its call, and a question nobody
// answers in time is ended. Opening a session starts nothing by itself, because reading opens it as well.
import { type ApprovalRequest, type ToolCall, ToolError } from '@codelab/protocol';
import { endedBadly, expire, finishCall, type LiveSession } from '@codelab/runtime';

type Options = {
  /** Starts the call whose question was answered, unless somebody does. */
  wake(approvalId: string): void;
  /** A call of a turn has ended that nobody was at. */
  onExpired(): void;
  onFault(error: unknown): void;
};

export type LeftCalls = Disposable & {
  /** Starts what was decided before the session was opened. */
  startDecided(): void;
};

// Whoever waits for an answer ends its call at the deadline; a little later nobody has.
const graceMs = 1000;
/** An answer is not acted on any more when its deadline is longer ago than this. */
export const lateMs = 60_000;
const longestTimer = 2 ** 31 - 1;

export function adoptLeftCalls(live: LiveSession, { wake, onExpired, onFault }: Options): LeftCalls {
  const timers: NodeJS.Timeout[] = [];
  const waiting = new Set<string>();
  const decided = new Set<string>();

  function expireLater(approval: ApprovalRequest): void {
    const left = Math.max(0, approval.deadline - Date.now()) + graceMs;
    const end = (): void => void expire(live, approval).then(onExpired).catch(onFault);
    timers.push(setTimeout(end, Math.min(left, longestTimer)).unref());
  }

  for (const state of live.openCalls.values()) {
    if (state.state === 'awaiting_approval') {
      waiting.add(state.approval.id);
      expireLater(state.approval);
    }
    if (state.state !== 'approved') continue;
    // Nobody expects any more that it happens: it was not begun, and will not be.
    if (state.approval.deadline + lateMs < Date.now() && state.call.turn === undefined)
      void giveUp(live, state.call).catch(onFault);
    else decided.add(state.approval.id);
  }
  // Also a decision of another process, which has no use for the call itself.
  const stop = live.watch(({ body }) => {
    if (body.type === 'approval.decided' && waiting.delete(body.approvalId)) wake(body.approvalId);
  });
  return {
    startDecided() {
      for (const id of decided) wake(id);
      decided.clear();
    },
    [Symbol.dispose]() {
      stop();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

async function giveUp(live: LiveSession, call: ToolCall): Promise<void> {
  const late = new ToolError(
    'APPROVAL_EXPIRED',
    'It was approved, but CodeLab ended before it began, and its time is over. Nothing was done; ask for it again.',
  );
  const outcome = endedBadly({ call, startedAt: Date.now() }, late);
  await finishCall(
    live,
    { call, outcome },
    { onlyIf: () => live.openCalls.get(call.id)?.state === 'approved' },
  );
}
