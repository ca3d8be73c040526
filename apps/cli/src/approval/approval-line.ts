// Approvals wait here until the human can look: one question at a time, and not into the middle of a line that is being typed, since whoever
// types would answer without having read. Calls of a reply that are asked together are one question.
import type { ApprovalRequest } from '@codelab/protocol';

export type ApprovalLine = {
  /** One that waits for the human to be done with their line. */
  readonly held: ApprovalRequest | undefined;
  add(approval: ApprovalRequest): void;
  /** Decided, here or elsewhere. */
  settle(approvalId: string): void;
  clear(): void;
  next(how?: { isInsisted: boolean }): void;
};

type Options = {
  isTyping?(): boolean;
  /** Puts one question to the human; settles when it is decided. */
  ask(approvals: readonly ApprovalRequest[]): Promise<void>;
};

export function createApprovalLine({ isTyping = () => false, ask }: Options): ApprovalLine {
  let waiting: ApprovalRequest[] = [];
  let isAsking = false;
  function next({ isInsisted } = { isInsisted: false }): void {
    const [first] = waiting;
    if (isAsking || first === undefined || (isTyping() && !isInsisted)) return;
    const isWithFirst = (one: ApprovalRequest): boolean =>
      one === first || (first.group !== undefined && one.group?.id === first.group.id);
    const together = waiting.filter(isWithFirst);
    waiting = waiting.filter((one) => !isWithFirst(one));
    isAsking = true;
    void ask(together).finally(() => {
      isAsking = false;
      next();
    });
  }
  return {
    get held() {
      return isAsking ? undefined : waiting[0];
    },
    add(approval) {
      waiting.push(approval);
      // Those of a group are told of in one go.
      queueMicrotask(() => next());
    },
    settle(approvalId) {
      waiting = waiting.filter(({ id }) => id !== approvalId);
    },
    clear() {
      waiting = [];
    },
    next,
  };
}
