// The price of a model: two fields, where it is unknown or the user's own. It also counts for earlier turns that have no cost in the log.
import { visibleLine } from '@codelab/protocol';
import { type FormEvent, useState } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { applyChange } from '../section.ts';

type Price = { input: number; output: number };

type Props = {
  /** PROVIDER/NAME */
  model: string;
  /** The note beside the name: the source of the price, or the number of turns without one. */
  note: string;
  price?: Price | null;
  canRemove?: boolean;
  onSaved?(): void;
};

export function PriceForm({ model, note, price = null, canRemove = false, onSaved }: Props) {
  const words = useViewText().settings;
  const [input, setInput] = useState(price === null ? '' : String(price.input));
  const [output, setOutput] = useState(price === null ? '' : String(price.output));
  const typed = readPrice(input, output);
  const name = visibleLine(model);
  const save = async (next: Price | null): Promise<void> => {
    const notice = next === null ? words.priceRemoved(name) : words.priceSaved(name);
    if (await applyChange({ prices: { [model]: next } }, notice)) onSaved?.();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed !== undefined) void save(typed);
  };
  return (
    <form aria-label={words.priceOf(name)} onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <p className="min-w-0 flex-1 basis-full wrap-anywhere">
        <span className="font-medium">{name}</span> <span className="text-small text-muted">{note}</span>
      </p>
      <AmountField label={words.priceIn} value={input} onChange={setInput} />
      <AmountField label={words.priceOut} value={output} onChange={setOutput} />
      <Button type="submit" disabled={typed === undefined}>
        {words.save}
      </Button>
      {canRemove && (
        <Button tone="quiet" onClick={() => void save(null)}>
          {words.remove}
        </Button>
      )}
    </form>
  );
}

type AmountProps = { label: string; value: string; onChange(value: string): void };

function AmountField({ label, value, onChange }: AmountProps) {
  return (
    <TextField
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className="max-w-44 min-w-36 flex-1"
    />
  );
}

/** A comma counts as the decimal point, as people in many countries type it. */
function readPrice(input: string, output: string): Price | undefined {
  const [into, out] = [input, output].map((text) =>
    /^\d{1,6}(?:[.,]\d{1,6})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : undefined,
  );
  return into === undefined || out === undefined ? undefined : { input: into, output: out };
}
