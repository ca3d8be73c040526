// The audit of the session on the screen: a picture of its calls, the same as a table, and proof that the record is whole.
import { ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditHead } from './audit-head.tsx';
import { AuditTable } from './audit-table.tsx';
import { CallDetails } from './call-details.tsx';
import { filterRows, noFilter } from './filter-rows.ts';
import { Timeline } from './timeline.tsx';
import { useAuditRows } from './use-audit-rows.ts';

/** Large: it has the whole width already. */
export function AuditBody({ isLarge = false }: { isLarge?: boolean }) {
  const words = useText().audit;
  const session = useSession(({ id }) => id);
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
