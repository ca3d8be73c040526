// The approvals of this session as cards, in sight above the composer. They come and go without taking the focus.
import type { ApprovalRequest } from '@codelab/protocol';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { shortcuts } from '../../keys.ts';
import { showView } from '../../layout/show-view.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { focusNextApproval, shake } from './card-focus.ts';
import { NotifyButton, useApprovalNotices, useIconBadge } from './notices.tsx';

export function WaitingList() {
  const text = useText();
  const words = text.approval;
  const pending = useSession((model) => model.pending);
  const shown = useLingering(pending);
  const order = shown.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown, and what of it still waits, is what moves the cards.
  useLayoutEffect(shake, [order, pending]);
  useApprovalNotices(pending);
  useIconBadge(pending.length > 0);
  const next = (): void => {
    showView('conversation');
    // The conversation may have been behind another tab until now.
    requestAnimationFrame(focusNextApproval);
  };
  useActions(
    pending.length === 0 ? [] : [{ id: 'approval.next', group: 'session', label: words.next, run: next }],
  );
  if (shown.length === 0) return null;
  return (
    <section
      aria-label={words.waitingFor}
      className="max-h-[86%] shrink-0 two:max-h-[65%] overflow-y-auto overscroll-contain border-t border-line bg-canvas"
    >
      <div className="mx-auto flex max-w-[52rem] flex-col gap-2 px-3 py-2 two:px-5">
        {/* On a phone the bar above says it, and every line counts. */}
        <header className="flex items-center gap-2 text-small text-muted max-two:sr-only">
          <span role="status" className="flex-1 font-medium">
            {pending.length > 0 && text.frame.approvalsWaiting(pending.length)}
          </span>
          <span aria-hidden className="hidden two:inline">
            <Kbd keys={shortcuts['approval.next'] ?? ''} />
          </span>
          <NotifyButton />
        </header>
        {shown.map((approval) => (
          <ApprovalCard key={approval.id} approval={approval} />
        ))}
      </div>
    </section>
  );
}

/** What waits, and for a few seconds more what was just decided: whoever looks at a card sees who decided it instead of a hole. */
const lingerMs = 8_000;

type Gone = { approval: ApprovalRequest; until: number };
type Known = { pending: readonly ApprovalRequest[]; gone: readonly Gone[] };

function useLingering(pending: readonly ApprovalRequest[]): readonly ApprovalRequest[] {
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
