// Below a review: how many hunks are selected, a note to the agent, and the decision.
import type { ApprovalRequest } from '@codelab/protocol';
import { Check, X } from 'lucide-react';
import { useColumns } from '../../layout/use-columns.ts';
import { useViewText } from '../../text/use-text.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Countdown } from '../approval/decision-status.tsx';
import type { ReviewSession } from './review-session.ts';

type Props = {
  approval: ApprovalRequest;
  session: ReviewSession;
  isSending: boolean;
  feedback: string;
  /** An Enter after a reload decided nothing. */
  isAskedAgain: boolean;
  onFeedback(text: string): void;
};

export function ReviewFooter({ approval, session, isSending, feedback, isAskedAgain, onFeedback }: Props) {
  const text = useViewText();
  const words = text.review;
  const { items } = session.review;
  const isPhone = useColumns() === 1;
  const selected = items.filter(({ isTaken }) => isTaken).length;
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line bg-canvas px-3 py-2">
      <span role="status" className="font-medium whitespace-nowrap tabular-nums max-two:flex-1">
        {words.taken(selected, items.length)}
      </span>
      <span role="status" className="text-warn empty:hidden">
        {isAskedAgain && words.enterAgain}
      </span>
      <Countdown deadline={approval.deadline} isShort={isPhone} />
      <Button size="small" tone="quiet" onClick={() => session.take(true)}>
        {words.takeAll}
      </Button>
      <Button size="small" tone="quiet" onClick={() => session.take(false)}>
        {words.takeNone}
      </Button>
      {/* Where there is no room, the note and the decision have a row of their own. */}
      <div className="flex min-w-0 flex-1 basis-full gap-2 two:basis-96">
        <input
          aria-label={text.approval.feedback}
          placeholder={text.approval.feedback}
          value={feedback}
          maxLength={10_000}
          onChange={({ target }) => onFeedback(target.value)}
          className="h-8 min-w-24 flex-1 rounded-base border border-line-strong/60 bg-surface px-2 placeholder:text-faint"
        />
        <DecideButton
          session={session}
          isSending={isSending}
          onDecide={() => void session.apply(feedback.trim())}
        />
      </div>
    </footer>
  );
}

type DecideProps = { session: ReviewSession; isSending: boolean; onDecide(): void };

function DecideButton({ session, isSending, onDecide }: DecideProps) {
  const words = useViewText().review;
  const { items } = session.review;
  const isNone = !items.some(({ isTaken }) => isTaken);
  const isAll = items.every(({ isTaken, isEdited }) => isTaken && !isEdited);
  const Icon = isNone ? X : Check;
  return (
    <Button
      tone={isNone ? 'danger' : 'strong'}
      disabled={isSending}
      icon={isSending ? <Spinner className="text-current" /> : <Icon aria-hidden className="size-4" />}
      onClick={onDecide}
    >
      {isNone ? words.rejectAll : isAll ? words.approveAll : words.apply}
      <span aria-hidden className="hidden two:inline">
        <Kbd keys="Enter" />
      </span>
    </Button>
  );
}
