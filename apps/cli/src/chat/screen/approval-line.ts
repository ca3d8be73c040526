// Approvals wait here until the human can look: one at a time, and not into the middle of a line that is being typed, since whoever
// types would answer without having read.
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
  isTyping(): boolean;
  /** Puts one to the human; settles when it is decided. */
  ask(approval: ApprovalRequest): Promise<void>;
};

export function createApprovalLine({ isTyping, ask }: Options): ApprovalLine {
  let waiting: ApprovalRequest[] = [];
  let isAsking = false;
  function next({ isInsisted } = { isInsisted: false }): void {
    if (isAsking || (isTyping() && !isInsisted)) return;
    const approval = waiting.shift();
    if (approval === undefined) return;
    isAsking = true;
    void ask(approval).finally(() => {
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
      next();
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
