// The calls of the past that a rule would have decided: when, what, and what became of it where this session knows.

import type { PastCall } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useCall } from '../../session/session-store.ts';
import { dateTime } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { CallStateMark } from '../conversation/call-state-mark.tsx';

const few = 8;

export function PastCalls({ calls, total }: { calls: readonly PastCall[]; total: number }) {
  const words = useText().approval;
  if (total === 0) return <p className="text-small text-muted">{words.pastNone}</p>;
  const shown = calls.slice(0, few);
  return (
    <div>
      <h3 className="mb-1 text-small font-medium text-muted">{words.past(total)}</h3>
      <ul className="divide-y divide-line rounded-base border border-line text-small">
        {shown.map((call) => (
          <Line key={`${call.session} ${call.call_id}`} call={call} />
        ))}
        {total > shown.length && (
          <li className="px-2.5 py-1 text-muted">{words.andMore(total - shown.length)}</li>
        )}
      </ul>
    </div>
  );
}

function Line({ call: { call_id, summary, time } }: { call: PastCall }) {
  const words = useText().approval;
  const known = useCall(call_id);
  return (
    <li className="flex items-center gap-2.5 px-2.5 py-1">
      <span className="shrink-0 text-muted tabular-nums">{dateTime(Date.parse(time))}</span>
      <span className="min-w-0 flex-1 truncate" title={visibleLine(summary)}>
        {visibleLine(summary)}
      </span>
      {known === undefined ? (
        <span className="shrink-0 text-muted">{words.elsewhere}</span>
      ) : (
        <CallStateMark state={known.state} />
      )}
    </li>
  );
}
