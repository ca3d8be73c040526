// Usage by day: tokens, cost, calls or waiting time, one at a time.
import type { DayUsage } from '@codelab/api';
import { useState } from 'react';
import { compactNumber, duration, spellCost } from '../../text/format.ts';
import { useLanguage } from '../../text/language.ts';
import { useViewText } from '../../text/use-text.ts';
import { Select } from '../../ui/text-field.tsx';
import { BarPlot, type PlotPart } from './bar-plot.tsx';
import { allDays } from './usage-figures.ts';

type Measure = 'tokens' | 'cost' | 'calls' | 'waited';
type Drawn = { parts: PlotPart[]; values(day: DayUsage): number[]; spell(value: number): string };

export function DayPlot({ days }: { days: readonly DayUsage[] }) {
  const words = useViewText().usage;
  const language = useLanguage((state) => state.language);
  const hasTokens = days.some(({ tokens_in: into, tokens_out: out }) => into + out > 0);
  const [measure, setMeasure] = useState<Measure>(hasTokens ? 'tokens' : 'calls');
  const shown = useMeasure(measure);
  const isAsked = days.some(({ approvals }) => approvals > 0);
  const measures = (['tokens', 'cost', 'calls', 'waited'] as const).filter(
    (id) => isAsked || id !== 'waited',
  );
  const today = new Date().toISOString().slice(0, 10);
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return (
    <section className="flex flex-col gap-2">
      <header className="flex items-center gap-3">
        <h3 className="flex-1 font-semibold">{words.byDay}</h3>
        <Select
          label={words.show}
          isLabelHidden
          value={measure}
          onChange={(value) => setMeasure(value as Measure)}
          options={measures.map((value) => ({ value, label: words[value] }))}
        />
      </header>
      <BarPlot
        label={`${words.byDay}: ${words[measure]}`}
        axis={words.day}
        parts={shown.parts}
        spell={shown.spell}
        bars={allDays(days, today).map((day) => ({
          key: day.day,
          label: format.format(Date.parse(day.day)),
          values: shown.values(day),
        }))}
      />
    </section>
  );
}

function useMeasure(measure: Measure): Drawn {
  const words = useViewText().usage;
  switch (measure) {
    case 'tokens':
      return {
        parts: [
          { id: 'in', label: words.tokensIn, fill: 'fill-accent' },
          { id: 'out', label: words.tokensOut, fill: 'fill-good' },
        ],
        values: ({ tokens_in: into, tokens_out: out }) => [into, out],
        spell: compactNumber,
      };
    case 'cost':
      return {
        parts: [{ id: 'cost', label: words.cost, fill: 'fill-accent' }],
        values: ({ cost_usd: cost }) => [cost ?? 0],
        spell: spellCost,
      };
    case 'calls':
      return {
        parts: [
          { id: 'done', label: words.callsDone, fill: 'fill-good' },
          { id: 'failed', label: words.callsFailed, fill: 'fill-bad' },
        ],
        values: ({ calls, failed_calls: failed }) => [calls - failed, failed],
        spell: compactNumber,
      };
    case 'waited':
      return {
        parts: [{ id: 'waited', label: words.waited, fill: 'fill-bar-warn' }],
        values: ({ waited_ms: waited }) => [waited],
        spell: duration,
      };
  }
}
