// How long a call has run: counted by the second while it does.
import { useEffect, useState } from 'react';
import type { CallView } from '../../session/session-model.ts';
import { duration } from '../../text/format.ts';

export function CallDuration({ view: { startedAt, outcome, state } }: { view: CallView }) {
  const isRunning = state === 'running' && startedAt !== undefined;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const ms = isRunning ? Math.max(0, now - startedAt) : outcome?.durationMs;
  // Less than a blink says nothing.
  if (ms === undefined || ms < (isRunning ? 1000 : 50)) return null;
  return (
    <span className="shrink-0 text-small text-muted tabular-nums">
      {duration(isRunning ? Math.floor(ms / 1000) * 1000 : ms)}
    </span>
  );
}
