// The totals of the usage view, and the models whose price they lack.
import type { UsageReport, UsageSum } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useSettings } from '../../settings-store.ts';
import { compactNumber, duration, number, spellCost } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { PriceForm } from '../settings/model/price-form.tsx';

type Words = ReturnType<typeof useViewText>['usage'];

/** `answered` approvals are those somebody waited for. */
export function Totals({ total, answered }: { total: UsageSum; answered: number }) {
  const words = useViewText().usage;
  const { tokens_in: into, tokens_out: out, cost_usd: cost, turns, calls, failed_calls: failed } = total;
  const { waited_ms: waited } = total;
  return (
    <>
      <dl
        className={cx(
          'grid grid-cols-2 gap-2',
          // No tile stands alone in its line.
          answered > 0 ? '@2xl:grid-cols-3 @4xl:grid-cols-6' : '@2xl:grid-cols-5',
        )}
      >
        <Tile name={words.tokensIn} value={compactNumber(into)} />
        <Tile name={words.tokensOut} value={compactNumber(out)} />
        <Tile name={words.cost} value={cost === null ? '–' : spellCost(cost)} note={costNote(total, words)} />
        <Tile name={words.turns} value={number(turns)} />
        <Tile name={words.calls} value={number(calls)} note={failed > 0 ? words.failed(failed) : ''} />
        {answered > 0 && (
          <Tile
            name={words.waited}
            value={duration(waited)}
            note={words.average(duration(waited / answered))}
          />
        )}
      </dl>
      {into + out === 0 && <p className="text-small text-muted">{words.noTokens}</p>}
    </>
  );
}

/** A sum that leaves turns out says so. */
function costNote({ cost_usd: cost, turns, unpriced_turns: unpriced }: UsageSum, words: Words): string {
  if (unpriced > 0 && cost !== null) return words.pricedTurns(Math.max(0, turns - unpriced), unpriced);
  return cost === null ? words.noCost : '';
}

type UnpricedModels = UsageReport['unpriced_models'];
const mostForms = 5;

/** The models without a price, each with the fields for it. */
export function UnpricedModels({ models, onSaved }: { models: UnpricedModels; onSaved(): void }) {
  const { usage: words, settings: texts } = useViewText();
  const isOperator = useSettings()?.is_operator === true;
  if (models.length === 0) return null;
  return (
    <section
      aria-label={words.unpriced}
      className="flex flex-col gap-3 rounded-large border border-warn/40 bg-raised p-3"
    >
      <h3 className="font-semibold">{words.unpriced}</h3>
      {models.slice(0, mostForms).map(({ model, turns }) =>
        isOperator ? (
          <PriceForm key={model} model={model} note={words.turnsOf(turns)} onSaved={onSaved} />
        ) : (
          <p key={model}>
            {visibleLine(model)} <span className="text-small text-muted">{words.turnsOf(turns)}</span>
          </p>
        ),
      )}
      <p className="text-small text-muted">{isOperator ? texts.priceHint : texts.notOperator}</p>
    </section>
  );
}

function Tile({ name, value, note = '' }: { name: string; value: string; note?: string }) {
  return (
    // The rows of the tiles beside each other are of one height, so that their values stand on one line.
    <div className="row-span-3 grid grid-rows-subgrid gap-y-0 rounded-large border border-line bg-raised px-3 py-2.5 @max-2xl:last:odd:col-span-2">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="text-[1.25rem] leading-7 font-semibold tabular-nums">{value}</dd>
      <dd className="text-tiny text-muted">{note}</dd>
    </div>
  );
}
