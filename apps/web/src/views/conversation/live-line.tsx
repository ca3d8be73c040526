// The running step in one line: its title, how long it has run, and the last line it printed.
import { visibleLine } from '@codelab/protocol';
import { useEffect, useState } from 'react';
import { lastLines } from '../../session/command-exit.ts';
import type { CallModel } from '../../session/session-model.ts';
import { useSession } from '../../session/session-store.ts';
import { duration } from '../../text/format.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { titleOf } from './calls/call-labels.tsx';

export function LiveLine() {
  const running = useSession(({ calls, status }) =>
    status === 'executing_tool' ? findRunning(calls) : undefined,
  );
  const seconds = useSeconds(running?.startedAt);
  if (running === undefined) return null;
  const last = running.output === undefined ? '' : visibleLine(lastLines(running.output, 1).slice(-200));
  return (
    <p className="flex items-center gap-2 py-1 text-small text-muted">
      <Spinner className="size-3.5 shrink-0 text-accent" />
      <span className="max-w-[50%] shrink-0 truncate font-mono">{titleOf(running)}</span>
      {seconds > 0 && <span className="shrink-0 tabular-nums">{duration(seconds * 1000)}</span>}
      <span className="min-w-0 truncate font-mono text-faint">{last}</span>
    </p>
  );
}

/** Of several running calls the one that began last. */
function findRunning(calls: ReadonlyMap<string, CallModel>): CallModel | undefined {
  let found: CallModel | undefined;
  for (const call of calls.values()) if (call.state === 'running') found = call;
  return found;
}

function useSeconds(since: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (since === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return since === undefined ? 0 : Math.max(0, Math.floor((now - since) / 1000));
}
