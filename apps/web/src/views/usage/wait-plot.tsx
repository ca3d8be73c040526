// How long approvals waited: counts by duration.
import type { WaitTimes } from '@codelab/api';
import { compactNumber, duration } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { BarPlot } from './bar-plot.tsx';

export function WaitPlot({ waits }: { waits: readonly WaitTimes[] }) {
  const words = useViewText().usage;
  if (waits.every(({ count }) => count === 0)) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{words.waits}</h3>
      <BarPlot
        label={words.waitsHint}
        axis={words.waited}
        parts={[{ id: 'count', label: words.count, fill: 'fill-bar-warn' }]}
        spell={compactNumber}
        bars={waits.map(({ up_to_ms: most, count }) => ({
          key: String(most),
          label: most === null ? words.longer : `≤ ${duration(most)}`,
          values: [count],
        }))}
      />
    </section>
  );
}
