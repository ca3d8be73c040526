// How a call stands, as an icon with its word.
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  ClockAlert,
  type LucideIcon,
} from 'lucide-react';
import type { CallView } from '../../session/session-model.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';

const looks: Record<
  Exclude<CallView['state'], 'running'>,
  { icon: LucideIcon; color: string; isQuiet?: true }
> = {
  received: { icon: CircleDashed, color: 'text-muted' },
  planned: { icon: CircleDashed, color: 'text-muted' },
  awaiting_approval: { icon: CirclePause, color: 'text-warn' },
  approved: { icon: CircleDashed, color: 'text-accent' },
  // The usual case needs no word for the eye.
  completed: { icon: CircleCheck, color: 'text-good', isQuiet: true },
  failed: { icon: CircleAlert, color: 'text-bad' },
  rejected: { icon: Ban, color: 'text-bad' },
  expired: { icon: ClockAlert, color: 'text-warn' },
  timed_out: { icon: ClockAlert, color: 'text-bad' },
  cancelled: { icon: Ban, color: 'text-muted' },
};

export function CallStateMark({ state }: { state: CallView['state'] }) {
  const word = useText().conversation.state[state];
  if (state === 'running')
    return (
      <span className="inline-flex shrink-0 items-center gap-1 text-small text-accent">
        <Spinner className="size-3.5" />
        <span className="max-two:sr-only">{word}</span>
      </span>
    );
  const { icon: Icon, color, isQuiet } = looks[state];
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1 text-small', color)}>
      <Icon aria-hidden className="size-3.5" />
      <span className={isQuiet ? 'sr-only' : 'max-two:sr-only'}>{word}</span>
    </span>
  );
}
