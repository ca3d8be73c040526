// The rule an approval would be remembered by, asked anew for each effect.
import type { ApprovalRequest } from '@codelab/protocol';
import { useEffect, useState } from 'react';
import { approvalsApi, type ProposedRule } from '../../api/approvals.ts';

/** Undefined while it is asked. */
export function useProposedRule(
  { session, id }: ApprovalRequest,
  effect: 'allow' | 'deny',
): ProposedRule | undefined {
  const [found, setFound] = useState<{ effect: string; proposed: ProposedRule } | undefined>();
  useEffect(() => {
    let isWanted = true;
    const keep = (proposed: ProposedRule): void => {
      if (isWanted) setFound({ effect, proposed });
    };
    approvalsApi
      .rule(session, id, effect)
      .then(keep, (error: unknown) =>
        keep({ rule: null, why: error instanceof Error ? error.message : String(error) }),
      );
    return () => {
      isWanted = false;
    };
  }, [session, id, effect]);
  return found?.effect === effect ? found.proposed : undefined;
}
