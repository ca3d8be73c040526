// The model of turns that name none: one of those the providers offer, or any other by its name.
import type { ModelName } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { type FormEvent, useEffect, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Select, TextField } from '../../../ui/text-field.tsx';
import { applyChange, type SectionProps } from '../section.ts';

const other = '\u0000other';

export function ModelPicker({ settings }: SectionProps) {
  const words = useViewText().settings;
  const [models, setModels] = useState<readonly ModelName[]>([]);
  const [isOther, setIsOther] = useState(false);
  const providers = JSON.stringify([settings.keys, settings.base_urls, settings.model]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other keys bring other models.
  useEffect(() => {
    let isGone = false;
    // Without the list the current model can still be named.
    api.settings.models().then(
      (found) => !isGone && setModels(found.models),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [providers]);
  const known = models.some(({ name }) => name === settings.model)
    ? models
    : [{ name: settings.model, label: settings.model_label }, ...models];
  const choose = (value: string): void => {
    setIsOther(value === other);
    if (value !== other) void applyChange({ model: value }, words.saved);
  };
  return (
    <div className="flex flex-col gap-2">
      <Select
        label={words.model}
        value={isOther ? other : settings.model}
        disabled={!settings.is_operator}
        onChange={choose}
        options={[
          ...known.map(({ name, label }) => ({
            value: name,
            label: name === 'demo' ? `${label} (${words.demo})` : visibleLine(name),
          })),
          { value: other, label: words.modelOther },
        ]}
        className="max-w-md"
      />
      {isOther && <OtherModel onDone={() => setIsOther(false)} />}
      <p className="text-small text-muted">{words.modelHint}</p>
    </div>
  );
}

function OtherModel({ onDone }: { onDone(): void }) {
  const words = useViewText().settings;
  const [name, setName] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() !== '' && (await applyChange({ model: name.trim() }, words.saved))) onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex max-w-md items-start gap-2">
      <TextField
        label={words.modelName}
        hint={words.modelNameHint}
        value={name}
        spellCheck={false}
        onChange={({ target }) => setName(target.value)}
        className="flex-1"
      />
      <Button type="submit" className="mt-5.5" disabled={name.trim() === ''}>
        {words.save}
      </Button>
    </form>
  );
}
