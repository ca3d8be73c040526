// Below a review: how much is taken, a word to the agent, and the decision.
import type { ApprovalRequest } from '@codelab/protocol';
import { Check, X } from 'lucide-react';
import { useColumns } from '../../layout/use-columns.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
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
  const text = useText();
  const words = text.review;
  const { items } = session.review;
  const isPhone = useColumns() === 1;
  const taken = items.filter(({ isTaken }) => isTaken).length;
  const isNone = taken === 0;
  const isAll = taken === items.length && !items.some(({ isEdited }) => isEdited);
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line bg-canvas px-3 py-2">
      <span role="status" className="font-medium whitespace-nowrap tabular-nums max-two:flex-1">
        {words.taken(taken, items.length)}
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
      {/* On a phone what is said and done about it has a row of its own. */}
      <span aria-hidden className="basis-full two:hidden" />
      <input
        aria-label={text.approval.feedback}
        placeholder={text.approval.feedback}
        value={feedback}
        maxLength={10_000}
        onChange={({ target }) => onFeedback(target.value)}
        className="h-8 min-w-24 flex-1 basis-24 rounded-base two:min-w-36 two:basis-36 border border-line-strong/60 bg-surface px-2 placeholder:text-faint"
      />
      <Button
        tone={isNone ? 'danger' : 'strong'}
        disabled={isSending}
        icon={
          isSending ? (
            <Spinner className="text-current" />
          ) : isNone ? (
            <X aria-hidden className="size-4" />
          ) : (
            <Check aria-hidden className="size-4" />
          )
        }
        onClick={() => void session.apply(feedback.trim())}
      >
        {isNone ? words.rejectAll : isAll ? words.approveAll : words.apply}
        <span aria-hidden className="hidden two:inline">
          <Kbd keys="Enter" />
        </span>
      </Button>
    </footer>
  );
}
