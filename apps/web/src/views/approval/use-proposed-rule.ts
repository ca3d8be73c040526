// The rule an approval would be remembered by, asked anew for each effect and each choice of arguments that are left free.
import type { ProposedRule } from '@codelab/api';
import type { ApprovalRequest } from '@codelab/protocol';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';

type Wanted = { effect: 'allow' | 'deny'; widen: readonly string[] };

/** Undefined while it is asked for the first time; not `isFresh` while it is asked with another choice. */
export function useProposedRule(
  { session, id }: ApprovalRequest,
  { effect, widen }: Wanted,
): { proposed: ProposedRule; isFresh: boolean } | undefined {
  const free = widen.join(',');
  const [found, setFound] = useState<{ effect: string; free: string; proposed: ProposedRule } | undefined>();
  useEffect(() => {
    let isWanted = true;
    const keep = (proposed: ProposedRule): void => {
      if (isWanted) setFound({ effect, free, proposed });
    };
    api.approvals
      .rule(session, id, { effect, widen: free })
      .then(keep, (error: unknown) =>
        keep({ rule: null, why: error instanceof Error ? error.message : String(error) }),
      );
    return () => {
      isWanted = false;
    };
  }, [session, id, effect, free]);
  if (found?.effect !== effect) return undefined;
  return { proposed: found.proposed, isFresh: found.free === free };
}
