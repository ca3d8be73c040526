// The calls of the past that a rule would have decided.
import { visibleLine } from '@codelab/protocol';
import type { PastCall } from '../../api/approvals.ts';
import { dateTime } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';

const few = 8;

export function PastCalls({ calls, total }: { calls: readonly PastCall[]; total: number }) {
  const words = useText().approval;
  if (total === 0) return <p className="text-small text-muted">{words.pastNone}</p>;
  const shown = calls.slice(0, few);
  return (
    <div>
      <h3 className="mb-1 text-small font-medium text-muted">{words.past(total)}</h3>
      <ul className="flex flex-col gap-0.5 text-small">
        {shown.map(({ session, call_id, summary, time }) => (
          <li key={`${session} ${call_id}`} className="flex gap-2">
            <span className="shrink-0 text-muted tabular-nums">{dateTime(Date.parse(time))}</span>
            <span className="min-w-0 wrap-anywhere">{visibleLine(summary)}</span>
          </li>
        ))}
        {total > shown.length && <li className="text-muted">{words.andMore(total - shown.length)}</li>}
      </ul>
    </div>
  );
}
