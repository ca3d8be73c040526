// The approvals of this session as cards, in sight above the composer. They come and go without taking the focus.
import { useLayoutEffect } from 'react';
import { useActions } from '../../actions/actions.ts';
import { shortcuts } from '../../keys.ts';
import { showView } from '../../layout/show-view.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { focusNextApproval } from './focus-approval.ts';
import { useApprovalNotices } from './notices.ts';
import { NotifyButton } from './notify-button.tsx';
import { shake } from './steady.ts';
import { useIconBadge } from './use-icon-badge.ts';
import { useLingering } from './use-lingering.ts';

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
