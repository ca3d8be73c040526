// The used part of the model's window, and the share of pinned files.
import type { ContextUse } from '@codelab/api';
import { compactNumber } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';

export function BudgetBar({ info: { files, used_tokens: used, window_tokens: all } }: { info: ContextUse }) {
  const words = useViewText().context;
  const pinned = files.reduce((sum, { tokens }) => sum + tokens, 0);
  const total = Math.max(used, pinned);
  const share = (part: number): number => (all === null || all === 0 ? 0 : Math.min(100, (100 * part) / all));
  const spoken =
    all === null
      ? words.usedOnly(compactNumber(total))
      : words.usedOf(compactNumber(total), compactNumber(all));
  return (
    <div>
      <p className="flex flex-wrap justify-between gap-x-3 pb-1 text-small">
        <span className="text-muted">{words.used}</span>
        <span className="tabular-nums">{spoken}</span>
      </p>
      {all !== null && (
        <meter aria-label={words.used} min={0} max={all} value={total} className="sr-only">
          {spoken}
        </meter>
      )}
      <div aria-hidden className="flex h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full bg-accent" style={{ width: `${share(pinned)}%` }} />
        <div
          className={cx('h-full', share(total) > 85 ? 'bg-warn' : 'bg-accent/45')}
          style={{ width: `${share(total) - share(pinned)}%` }}
        />
      </div>
      {pinned > 0 && <p className="pt-1 text-tiny text-muted">{words.pinned(compactNumber(pinned))}</p>}
    </div>
  );
}
