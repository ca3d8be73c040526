// How long an approval still waits. The last half minute is said aloud once and shown with weight.
import { Clock } from 'lucide-react';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

const soon = 30;

/** `isShort`: the clock alone, where there is little room. */
export function Countdown({ deadline, isShort = false }: { deadline: number; isShort?: boolean }) {
  const words = useText().approval;
  const left = useSecondsLeft(deadline);
  const isSoon = left <= soon;
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
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
          words.closing(left)
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
