// The state of a decision: its remaining time, or its result.
import { type Decision, visibleLine } from '@codelab/protocol';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CallModel } from '../../session/session-model.ts';
import { shortTime } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';

/** How long an approval still waits. The last half minute is said aloud once and shown with weight. */
const soon = 30;

/** Nothing for an approval that waits until it is decided. `isShort`: the clock alone, where there is little room. */
export function Countdown({ deadline, isShort }: { deadline: number | undefined; isShort?: boolean }) {
  return deadline === undefined ? null : <TimeLeft deadline={deadline} isShort={isShort} />;
}

function TimeLeft({ deadline, isShort = false }: { deadline: number; isShort?: boolean | undefined }) {
  const words = useViewText().approval;
  const seconds = useSecondsLeft(deadline);
  const isSoon = seconds <= soon;
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <>
      <span
        role="timer"
        className={cx(
          'inline-flex shrink-0 items-center gap-1 text-small whitespace-nowrap tabular-nums',
          isSoon ? 'rounded-full bg-bad-soft px-2 font-semibold text-bad' : 'text-muted',
        )}
      >
        <Clock aria-hidden className="size-3.5" />
        {isShort ? (
          <>
            <span aria-hidden>{clock}</span>
            <span className="sr-only">{words.left(clock)}</span>
          </>
        ) : isSoon ? (
          words.closing(seconds)
        ) : (
          words.left(clock)
        )}
      </span>
      <span aria-live="assertive" className="sr-only">
        {isSoon ? words.closing(soon) : ''}
      </span>
    </>
  );
}

/** The seconds until something closes, counted down while it is looked at. */
function useSecondsLeft(deadline: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(deadline));
  useEffect(() => {
    const look = (): void => setSeconds(secondsUntil(deadline));
    look();
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [deadline]);
  return seconds;
}

function secondsUntil(deadline: number): number {
  return Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
}

/** The result of an approval: who decided, how, and when. */
export function SettledLine({ call }: { call: CallModel | undefined }) {
  const words = useViewText().approval;
  const { decision, decidedBy, decidedAt } = call ?? {};
  if (decision === undefined || decidedBy === undefined)
    return (
      <p role="status" className="flex items-center gap-1.5 text-muted">
        <Clock aria-hidden className="size-4 shrink-0" />
        {call?.state === 'expired' || call?.state === 'unanswered' ? words.expired : words.over}
      </p>
    );
  const isNo = decision.kind === 'reject';
  const Icon = isNo ? CircleX : CircleCheck;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-1.5 wrap-anywhere">
      <Icon aria-hidden className={`size-4 shrink-0 ${isNo ? 'text-bad' : 'text-good'}`} />
      <span className="font-medium">{spell(decision, visibleLine(decidedBy.who), words)}</span>
      <span className="text-small text-muted">
        {visibleLine(decidedBy.via)}
        {decidedAt !== undefined && ` · ${shortTime(decidedAt)}`}
      </span>
      {'feedback' in decision && decision.feedback !== undefined && (
        <span className="text-muted">“{visibleLine(decision.feedback)}”</span>
      )}
    </p>
  );
}

/** The same in one line with what it was about, where the card stood. */
export function SettledCard({ id, call, title }: { id: string; call: CallModel | undefined; title: string }) {
  return (
    <div className="flex items-center gap-2 px-3 py-1 text-small">
      <SettledLine call={call} />
      <h3 id={id} className="min-w-0 flex-1 truncate text-right text-muted">
        {title}
      </h3>
    </div>
  );
}

function spell(decision: Decision, who: string, words: ReturnType<typeof useViewText>['approval']): string {
  switch (decision.kind) {
    case 'approve':
      return words.approved(who);
    case 'edit':
      return words.edited(who);
    case 'hunks':
      return words.partly(who);
    case 'reject':
      return words.rejected(who);
    case 'answer':
      return words.answered(who, visibleLine(decision.action));
  }
}
