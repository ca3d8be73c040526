// How a turn ended: how long it took and what it used; with the reason, where it did not end well.
import { CircleAlert, CircleCheck, CircleSlash } from 'lucide-react';
import { honestText } from '../../markdown/honest-text.ts';
import type { Entry } from '../../session/session-model.ts';
import { compactNumber, duration } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';

const icons = {
  completed: CircleCheck,
  cancelled: CircleSlash,
  failed: CircleAlert,
  step_limit: CircleAlert,
  cut_off: CircleAlert,
  refused: CircleAlert,
  empty: CircleAlert,
};

export function TurnEndLine({ entry }: { entry: Extract<Entry, { kind: 'ended' }> }) {
  const words = useText().conversation;
  const { end, message, durationMs, tokens } = entry;
  const Icon = icons[end];
  const isBad = end !== 'completed' && end !== 'cancelled';
  return (
    <div
      className={cx(
        'flex flex-col gap-1 pb-1',
        isBad && 'rounded-base border border-bad/30 bg-bad-soft p-2.5',
      )}
    >
      <p className={cx('flex items-center gap-1.5 text-small', isBad ? 'text-bad' : 'text-muted')}>
        <Icon aria-hidden className="size-3.5" />
        {words.turn[end]} · {duration(durationMs)}
        {tokens > 0 && ` · ${words.tokens(compactNumber(tokens))}`}
      </p>
      {message !== '' && <p className="wrap-anywhere">{honestText(message)}</p>}
    </div>
  );
}
