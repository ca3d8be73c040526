// What waits, and for a few seconds more what was just decided: whoever looks at a card sees who decided it instead of a hole.
import type { ApprovalRequest } from '@codelab/protocol';
import { useEffect, useState } from 'react';

const lingerMs = 8_000;

type Gone = { approval: ApprovalRequest; until: number };
type Known = { pending: readonly ApprovalRequest[]; gone: readonly Gone[] };

export function useLingering(pending: readonly ApprovalRequest[]): readonly ApprovalRequest[] {
  const [known, setKnown] = useState<Known>({ pending, gone: [] });
  // While rendering, not after it: a card that was away for one moment has lost the focus.
  const { gone } = known.pending === pending ? known : next(known, pending);
  if (known.pending !== pending) setKnown({ pending, gone });
  useEffect(() => {
    const first = Math.min(...gone.map(({ until }) => until));
    if (!Number.isFinite(first)) return;
    const timer = setTimeout(
      () => {
        for (const { approval, until } of gone) if (until <= first) leaveFocus(approval.id);
        setKnown((now) => ({ ...now, gone: now.gone.filter(({ until }) => until > first) }));
      },
      Math.max(0, first - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [gone]);
  const settled = gone
    .map(({ approval }) => approval)
    .filter(({ callId }) => !pending.some((one) => one.callId === callId));
  return [...settled, ...pending].sort((a, b) => a.requestedAt - b.requestedAt);
}

function next(known: Known, pending: readonly ApprovalRequest[]): Known {
  const left = known.pending.filter(({ id }) => !pending.some((one) => one.id === id));
  const until = performance.now() + lingerMs;
  return { pending, gone: [...known.gone, ...left.map((approval) => ({ approval, until }))] };
}

// A card that goes must not take the focus with it.
function leaveFocus(id: string): void {
  const card = document.querySelector(`[data-card="${CSS.escape(id)}"]`);
  if (card?.contains(document.activeElement) === true) document.getElementById('main')?.focus();
}
