// The record of a session: every call with its outcome, as a timeline and as a table, in the side column or in a tab.
import { ScrollText } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { useViewText } from '../../text/use-text.ts';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { useWholeSession } from '../conversation/load-sections.ts';
import { AuditFilters, filterRows, noFilter } from './audit-filters.tsx';
import { AuditHead } from './audit-head.tsx';
import { type AuditRow, auditRows } from './audit-rows.ts';
import { AuditTable } from './audit-table.tsx';
import { CallDetails } from './call-details.tsx';
import { Timeline } from './timeline/timeline.tsx';

// The audit in the side panel.
export function AuditView() {
  return <AuditBody />;
}

// The audit in the centre, where its picture has room.
export function AuditTabView() {
  return <AuditBody isLarge />;
}

// The audit of the session on the screen: a picture of its calls, the same as a table, and proof that the record is whole.
/** Large: it has the whole width already. */
function AuditBody({ isLarge = false }: { isLarge?: boolean }) {
  const words = useViewText().audit;
  const session = useSession(({ id }) => id);
  const isWhole = useWholeSession();
  const rows = useAuditRows();
  const [filter, setFilter] = useState(noFilter);
  const [chosen, setChosen] = useState('');
  const found = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const shown = rows.find(({ id }) => id === chosen);
  return (
    <div className="@container relative h-full overflow-y-auto">
      <div className="mx-auto flex max-w-6xl flex-col gap-3 p-3">
        {session !== '' && <AuditHead key={session} session={session} isLarge={isLarge} />}
        {rows.length === 0 ? (
          <EmptyState icon={ScrollText} title={words.none} hint={words.noneHint} />
        ) : (
          <>
            <AuditFilters rows={rows} filter={filter} onChange={setFilter} />
            <p role="status" className="text-small text-muted">
              {found.length === 0 ? words.noneFound : words.calls(found.length)}
              {!isWhole && <Spinner className="ml-2 inline size-3.5" />}
            </p>
            {found.length > 0 && <Timeline key={session} rows={found} onOpen={setChosen} />}
            {found.length > 0 && <AuditTable rows={found} onOpen={setChosen} />}
          </>
        )}
      </div>
      {shown !== undefined && (
        <CallDetails key={shown.id} row={shown} session={session} onClose={() => setChosen('')} />
      )}
    </div>
  );
}

// The rows of the session on the screen. Made anew when the log has grown, not with every word the model says.
const tickMs = 1000;

function useAuditRows(): AuditRow[] {
  const id = useSession((model) => model.id);
  const head = useSession(({ lastSeq }) => lastSeq);
  const entries = useSession((model) => model.entries);
  const [now, setNow] = useState(() => Date.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model changes in place; its head tells that it did.
  const rows = useMemo(
    () => auditRows(useSessionStore.getState().model.calls.values(), Math.max(now, Date.now())),
    [id, head, entries, now],
  );
  const isOpen = rows.some(({ outcome }) => outcome === 'waiting' || outcome === 'running');
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isOpen]);
  return rows;
}
