// Usage of all sessions: tokens, cost, calls, and how long approvals waited.
import type { UsageReport as Used } from '@codelab/api';
import { ChartColumn, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { useSession } from '../../session/session-store.ts';
import { currentText, useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { DayPlot } from './day-plot.tsx';
import { SessionTable, TurnTable } from './session-table.tsx';
import { Totals, UnpricedModels } from './totals.tsx';
import { WaitPlot } from './wait-plot.tsx';

export function UsageView() {
  const text = useViewText();
  const [usage, setUsage] = useState<Used | undefined>();
  const [problem, setProblem] = useState('');
  const [refreshes, setRefreshes] = useState(0);
  const turns = useSession((model) => model.turns.ended);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn that ended and a wish to see it anew are the occasions.
  useEffect(() => {
    const ending = new AbortController();
    api.usage
      .get(ending.signal)
      .then((found) => {
        setUsage(found);
        setProblem('');
      })
      .catch((error: unknown) => {
        if (!ending.signal.aborted) setProblem(errorMessage(error, currentText()));
      });
    return () => ending.abort();
  }, [turns, refreshes]);
  return (
    <div className="@container relative h-full overflow-y-auto">
      <div className="mx-auto flex max-w-5xl flex-col gap-5 p-4">
        <header className="flex items-center gap-2">
          <h2 className="flex-1 text-title font-semibold">{text.usage.name}</h2>
          <Button
            size="small"
            icon={<RefreshCw aria-hidden className="size-3.5" />}
            onClick={() => setRefreshes(refreshes + 1)}
          >
            {text.usage.refresh}
          </Button>
        </header>
        {problem !== '' && <p className="text-bad">{problem}</p>}
        {usage === undefined && problem === '' && <Spinner label={text.frame.loading} />}
        {usage !== undefined && <Body usage={usage} onPriced={() => setRefreshes(refreshes + 1)} />}
      </div>
    </div>
  );
}

function Body({ usage, onPriced }: { usage: Used; onPriced(): void }) {
  const words = useViewText().usage;
  const { total, by_day: days, waits, sessions, by_turn: turns, left_out: leftOut } = usage;
  if (total.turns === 0 && total.calls === 0)
    return <EmptyState icon={ChartColumn} title={words.none} hint={words.noneHint} />;
  return (
    <>
      <Totals total={total} answered={waits.reduce((sum, { count }) => sum + count, 0)} />
      <UnpricedModels models={usage.unpriced_models} onSaved={onPriced} />
      <DayPlot days={days} />
      <WaitPlot waits={waits} />
      <TurnTable turns={turns} sessions={sessions} />
      <SessionTable sessions={sessions} leftOut={leftOut} />
    </>
  );
}
