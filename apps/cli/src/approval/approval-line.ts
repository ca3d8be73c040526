// Queues approvals until the user can look: one question at a time, and not while the user types a line, since the next key would answer a
// question that was not read. Calls of a reply that are asked together are one question.
import type { ApprovalRequest } from '@codelab/protocol';

export type ApprovalLine = {
  /** The approval that waits until the user has finished typing. */
  readonly held: ApprovalRequest | undefined;
  add(approval: ApprovalRequest): void;
  /** Removes an approval that is decided, here or elsewhere. */
  settle(approvalId: string): void;
  clear(): void;
  next(options?: { isInsisted: boolean }): void;
};

type Options = {
  isTyping?(): boolean;
  /** Asks the user one question; settles when it is decided. */
  ask(approvals: readonly ApprovalRequest[]): Promise<void>;
};

export function createApprovalLine({ isTyping = () => false, ask }: Options): ApprovalLine {
  let pending: ApprovalRequest[] = [];
  let isAsking = false;
  function next({ isInsisted } = { isInsisted: false }): void {
    const [first] = pending;
    if (isAsking || first === undefined || (isTyping() && !isInsisted)) return;
    const isWithFirst = (approval: ApprovalRequest): boolean =>
      approval === first || (first.group !== undefined && approval.group?.id === first.group.id);
    const together = pending.filter(isWithFirst);
    pending = pending.filter((approval) => !isWithFirst(approval));
    isAsking = true;
    void ask(together).finally(() => {
      isAsking = false;
      next();
    });
  }
  return {
    get held() {
      return isAsking ? undefined : pending[0];
    },
    add(approval) {
      pending.push(approval);
      // The approvals of a group arrive together.
      queueMicrotask(() => next());
    },
    settle(approvalId) {
      pending = pending.filter(({ id }) => id !== approvalId);
    },
    clear() {
      pending = [];
    },
    next,
  };
}
