// The form of a provider: its models where they are known, else the key or the address it needs, which is tested.
import type { ModelProvider } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { ExternalLink } from 'lucide-react';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { currentText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/text-field.tsx';
import { addressExample } from '../settings/model/provider-names.ts';
import { labelOf, useConnectWords } from './connect-words.ts';

/** The key and the address that the chosen model was tested with. */
export type ChosenModel = { model: string; provider: string; key?: string; address?: string };

type Props = { provider: ModelProvider; onUse(chosen: ChosenModel): Promise<void> };

export function ProviderForm(props: Props) {
  return props.provider.models.length > 0 ? <OfferedModels {...props} /> : <ConnectForm {...props} />;
}

function OfferedModels({ provider, onUse }: Props) {
  const words = useConnectWords();
  const [model, setModel] = useState(provider.models[0] ?? '');
  const { isBusy, problem, attempt } = useAttempt();
  return (
    <div className="flex flex-col gap-2">
      <Select
        label={words.model}
        value={model}
        onChange={setModel}
        options={provider.models.map((name) => ({ value: name, label: visibleLine(name) }))}
      />
      <Problem text={problem} />
      <Button
        tone="strong"
        className="self-start"
        disabled={isBusy}
        onClick={() => void attempt(() => onUse({ provider: provider.name, model }))}
      >
        {words.use}
      </Button>
    </div>
  );
}

function ConnectForm({ provider, onUse }: Props) {
  const words = useConnectWords();
  const label = labelOf(provider, words);
  const [key, setKey] = useState('');
  const [address, setAddress] = useState('');
  const [model, setModel] = useState('');
  // The provider answers, but lists no models.
  const [isNamed, setIsNamed] = useState(false);
  const { isBusy, problem, attempt } = useAttempt(provider.problem ?? '');
  const submit = async (): Promise<void> => {
    const connection = { provider: provider.name, ...trimmed({ key, address }) };
    const found = isNamed ? `${provider.name}/${model.trim()}` : await firstModel(connection);
    if (found === null) setIsNamed(true);
    else await onUse({ ...connection, model: found });
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void attempt(submit);
  };
  const form = useFirstEmptyFocused(isNamed);
  const example = provider.base_url ?? addressExample(provider.name);
  const common = { spellCheck: false, autoComplete: 'new-password' };
  return (
    <form ref={form} onSubmit={onSubmit} aria-label={label} className="flex flex-col gap-2">
      {(provider.is_local || provider.needs_address) && (
        <TextField {...typed(address, setAddress)} {...common} label={words.address} placeholder={example} />
      )}
      {!provider.is_local && (
        <TextField {...typed(key, setKey)} {...common} label={words.key} type="password" />
      )}
      {isNamed && (
        <TextField
          {...typed(model, setModel)}
          {...common}
          label={words.modelName}
          hint={words.noList(label)}
        />
      )}
      <Problem text={problem} />
      <div className="flex items-center gap-3">
        <Button type="submit" tone="strong" disabled={isBusy || (isNamed && model.trim() === '')}>
          {isBusy ? words.testing : isNamed ? words.use : words.connect}
        </Button>
        <KeyPage address={provider.key_page} />
      </div>
    </form>
  );
}

/** Puts the focus in the first empty field, again when the field for the model's name is shown. */
function useFirstEmptyFocused(isNamed: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are others then.
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll('input') ?? [])];
    fields.find(({ value }) => value === '')?.focus();
  }, [isNamed]);
  return form;
}

function KeyPage({ address }: { address: string | null }) {
  const words = useConnectWords();
  if (address === null) return null;
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 text-small text-accent underline"
    >
      {words.getKey}
      <ExternalLink aria-hidden className="size-3" />
    </a>
  );
}

function Problem({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p role="alert" className="text-small wrap-break-word text-bad">
      {visibleLine(text)}
    </p>
  );
}

function useAttempt(before = '') {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState(before);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      setProblem(errorMessage(error, currentText()));
    }
    setIsBusy(false);
  };
  return { isBusy, problem, attempt };
}

/** Null when the provider answers, but lists none. */
async function firstModel({ provider, key, address }: Omit<ChosenModel, 'model'>): Promise<string | null> {
  const { model } = await api.settings.tryProvider({
    provider,
    ...(key !== undefined && { key }),
    ...(address !== undefined && { base_url: address }),
  });
  return model;
}

function typed(value: string, set: (value: string) => void) {
  return { value, onChange: ({ target }: { target: { value: string } }) => set(target.value) };
}

function trimmed({ key, address }: { key: string; address: string }): Pick<ChosenModel, 'key' | 'address'> {
  return {
    ...(key.trim() !== '' && { key: key.trim() }),
    ...(address.trim() !== '' && { address: address.trim() }),
  };
}
