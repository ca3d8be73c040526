// The approvals of this session as cards, in sight above the composer. They come and go without taking the focus.
import type { ApprovalRequest } from '@codelab/protocol';
import { type ReactElement, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { showView } from '../../layout/show-view.ts';
import { useSession } from '../../session/session-store.ts';
import { useViewText } from '../../text/use-text.ts';
import { isOwnCommand } from '../conversation/composer/commands.ts';
import { ApprovalCard } from './approval-card.tsx';
import { focusNextApproval, shake } from './card-focus.ts';
import { GroupCard } from './group-card.tsx';
import { useApprovalNotices, useIconBadge } from './notices/notices.tsx';
import { type ApprovalQuestion, questionsOf, useReplies } from './questions.ts';

export function WaitingList() {
  const text = useViewText();
  const words = text.approval;
  const pending = useSession((model) => model.pending);
  const questions = useQuestions(pending);
  const settled = useLingering(pending);
  const order = [...settled, ...pending].map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown, and what of it still waits, is what moves the cards.
  useLayoutEffect(shake, [order, pending, questions.length]);
  useApprovalNotices(questions);
  useIconBadge(pending.length > 0);
  const next = (): void => {
    showView('conversation');
    // The conversation may have been behind another tab until now; otherwise the next key is meant for the card already.
    if (!focusNextApproval()) requestAnimationFrame(focusNextApproval);
  };
  useActions(
    pending.length === 0 ? [] : [{ id: 'approval.next', group: 'session', label: words.next, run: next }],
  );
  if (settled.length + questions.length === 0) return null;
  return (
    <section
      aria-label={words.waitingFor}
      className="max-h-[86%] two:max-h-[65%] overflow-y-auto overscroll-contain border-t border-line bg-canvas"
    >
      <div className="mx-auto flex max-w-[52rem] flex-col gap-2 px-3 py-2 two:px-5">
        <span role="status" className="sr-only">
          {pending.length > 0 && text.frame.approvalsWaiting(pending.length)}
        </span>
        {/* One list, so that a card which is decided stays the same one and keeps the focus. */}
        {[
          ...settled.map((approval) => (
            <ApprovalCard key={approval.id} approval={approval} isFirst={false} />
          )),
          ...questions.map((question, at) => cardOf(question, at === 0)),
        ]}
      </div>
    </section>
  );
}

function useQuestions(pending: readonly ApprovalRequest[]): readonly ApprovalQuestion[] {
  const apart = useReplies((state) => state.apart);
  return useMemo(() => questionsOf(pending, (reply) => apart.has(reply)), [pending, apart]);
}

function cardOf(question: ApprovalQuestion, isFirst: boolean): ReactElement {
  const { key, approvals } = question;
  const [approval] = approvals;
  // While the answer to all is on its way, what is left of them does not become another card under the pointer.
  const isGroup = approvals.length > 1 || useReplies.getState().sending.has(key);
  return isGroup ? (
    <GroupCard key={key} question={question} isFirst={isFirst} />
  ) : (
    <ApprovalCard key={approval.id} approval={approval} isFirst={isFirst} />
  );
}

/** Approvals that were decided a few seconds ago: their cards say by whom before they disappear. */
const lingerMs = 5_000;
const mostSettled = 3;

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
    .filter(({ callId }) => !pending.some((request) => request.callId === callId));
  return settled.slice(-mostSettled);
}

function next(known: Known, pending: readonly ApprovalRequest[]): Known {
  // A command that the person typed was not asked about: its decision is no news.
  const answered = known.pending.filter(
    ({ id, callId }) => !isOwnCommand(callId) && !pending.some((request) => request.id === id),
  );
  const until = performance.now() + lingerMs;
  return { pending, gone: [...known.gone, ...answered.map((approval) => ({ approval, until }))] };
}

// A card that goes must not take the focus with it.
function leaveFocus(id: string): void {
  const card = document.querySelector(`[data-card="${CSS.escape(id)}"]`);
  if (card?.contains(document.activeElement) === true) document.getElementById('main')?.focus();
}
