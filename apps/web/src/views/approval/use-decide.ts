// Sends one decision. The controls stay still from then on: it is the log that says what became of it.
import type { ApprovalRequest, Decision } from '@codelab/protocol';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { toastError } from '../../ui/toast.tsx';

/** True when the gateway took the decision. */
export type Decide = (decision: Decision) => Promise<boolean>;

export function useDecide(approval: ApprovalRequest): { isSending: boolean; decide: Decide } {
  const [isSending, setIsSending] = useState(false);
  const decide: Decide = async (decision) => {
    setIsSending(true);
    try {
      await api.decide(approval.session, approval.id, decision, approval.binding);
      return true;
    } catch (error) {
      toastError(error);
      setIsSending(false);
      return false;
    }
  };
  return { isSending, decide };
}
