// The rows of the session on the screen. Made anew when the log has grown, not with every word the model says.
import { useEffect, useMemo, useState } from 'react';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { type AuditRow, auditRows } from './audit-rows.ts';

const tickMs = 1000;

export function useAuditRows(): AuditRow[] {
  const id = useSession((model) => model.id);
  const head = useSession(({ lastSeq }) => lastSeq);
  const [now, setNow] = useState(() => Date.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model changes in place; its head tells that it did.
  const rows = useMemo(
    () => auditRows(useSessionStore.getState().model.calls.values(), Math.max(now, Date.now())),
    [id, head, now],
  );
  const isOpen = rows.some(({ outcome }) => outcome === 'waiting' || outcome === 'running');
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isOpen]);
  return rows;
}
