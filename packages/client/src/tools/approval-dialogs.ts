// The pending approvals of this client's user: each is shown once, ends at its deadline, and closes when it was decided elsewhere.
import { callKey, type ToolApprovalRequest } from './tool-events.ts';

export type UserDecision =
  | { approved: true; modifiedArgs?: Record<string, unknown> }
  | { approved: false; reason: string };

/** Shows the approval; the signal aborts when nothing is left to decide. */
export type AskUser = (request: ToolApprovalRequest, signal: AbortSignal) => Promise<UserDecision>;

/** Why a client rejects without a human: the approval timed out, or the request is invalid. */
type RejectionCause = 'timeout' | 'invalid';

export type DialogAnswer = (UserDecision & { cause?: RejectionCause }) | { settled: true };

export type ApprovalDialogs = {
  readonly pending: readonly ToolApprovalRequest[];
  /** Undefined when the same approval is already shown. */
  ask(request: ToolApprovalRequest): Promise<DialogAnswer> | undefined;
  /** Another person has decided, or the gateway's deadline has passed. */
  settle(key: string): void;
  rejectAll(reason: string): void;
};

type Waiting = { request: ToolApprovalRequest; answer(answered: DialogAnswer): void };

export function createApprovalDialogs(askUser: AskUser, maxMs: number): ApprovalDialogs {
  const pending = new Map<string, Waiting>();
  return {
    get pending() {
      return [...pending.values()].map(({ request }) => request);
    },
    ask(request) {
      const key = callKey(request);
      if (pending.has(key)) return undefined;
      const { promise, resolve } = Promise.withResolvers<DialogAnswer>();
      const closing = new AbortController();
      const requestMs = (request.timeout_seconds ?? Number.POSITIVE_INFINITY) * 1000;
      const timer = setTimeout(
        () => resolve({ approved: false, reason: 'Approval timeout', cause: 'timeout' }),
        Math.min(maxMs, requestMs),
      );
      pending.set(key, { request, answer: resolve });
      // A dialog that fails has not approved.
      askUser(request, closing.signal).then(resolve, () =>
        resolve({ approved: false, reason: 'The question could not be shown.' }),
      );
      return promise.finally(() => {
        clearTimeout(timer);
        pending.delete(key);
        closing.abort();
      });
    },
    settle: (key) => pending.get(key)?.answer({ settled: true }),
    rejectAll(reason) {
      for (const { answer } of [...pending.values()]) answer({ approved: false, reason });
    },
  };
}
