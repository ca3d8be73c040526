// The totals of the usage view.
import type { UsageSum } from '@codelab/api';
import { compactNumber, duration, number, spellCost } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';

/** `answered` approvals are those somebody waited for. */
export function Totals({ total, answered }: { total: UsageSum; answered: number }) {
  const words = useText().usage;
  const { tokens_in: into, tokens_out: out, cost_usd: cost, turns, calls, failed_calls: failed } = total;
  const { waited_ms: waited } = total;
  return (
    <>
      <dl className="grid grid-cols-2 gap-2 @2xl:grid-cols-3 @4xl:grid-cols-6">
        <Tile name={words.tokensIn} value={compactNumber(into)} />
        <Tile name={words.tokensOut} value={compactNumber(out)} />
        <Tile
          name={words.cost}
          value={cost === null ? '–' : spellCost(cost)}
          note={cost === null ? words.noCost : ''}
        />
        <Tile name={words.turns} value={number(turns)} />
        <Tile name={words.calls} value={number(calls)} note={failed > 0 ? words.failed(failed) : ''} />
        <Tile
          name={words.waited}
          value={duration(waited)}
          note={answered > 0 ? words.average(duration(waited / answered)) : ''}
        />
      </dl>
      {into + out === 0 && <p className="text-small text-muted">{words.noTokens}</p>}
    </>
  );
}

function Tile({ name, value, note = '' }: { name: string; value: string; note?: string }) {
  return (
    <div className="rounded-large border border-line bg-raised px-3 py-2.5">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="text-[1.25rem] leading-7 font-semibold tabular-nums">{value}</dd>
      <dd className="min-h-4 text-tiny text-muted">{note}</dd>
    </div>
  );
}
