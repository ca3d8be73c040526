// "Connect a model": the providers, detected ones first; a key or an address is tested before it is saved, and then a model is chosen.
import type { ModelProvider } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { changeSettings, useSettings } from '../../settings-store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { loadCatalogue } from '../conversation/composer/catalogue-store.ts';
import { labelOf, useConnectWords } from './connect-words.ts';
import { type ChosenModel, ProviderForm } from './provider-form.tsx';

export function ConnectModel({ isTitled = true }: { isTitled?: boolean }) {
  const words = useConnectWords();
  const settings = useSettings();
  const providers = useProviders();
  const [picked, setPicked] = useState('');
  if (settings?.is_operator !== true) return <p className="text-muted">{words.notOperator}</p>;
  const provider = providers?.find(({ name }) => name === picked);
  const use = async ({ model, provider: name, key, address }: ChosenModel): Promise<void> => {
    await changeSettings({
      model,
      ...(key !== undefined && { keys: { [name]: key } }),
      ...(address !== undefined && { base_urls: { [name]: address } }),
    });
    toast(words.connected(visibleLine(model)));
    await loadCatalogue();
  };
  return (
    <section
      aria-label={words.title}
      className={cx('flex w-full max-w-lg flex-col gap-3 text-left', isTitled && 'mt-6')}
    >
      {isTitled && (
        <>
          <h2 className="text-center text-title font-semibold">{words.title}</h2>
          <p className="text-center text-small text-muted">{words.hint}</p>
        </>
      )}
      {providers === undefined ? (
        <Spinner label={words.searching} className="self-center" />
      ) : (
        <Providers providers={providers} picked={picked} onPick={setPicked} />
      )}
      {provider !== undefined && <ProviderForm key={provider.name} provider={provider} onUse={use} />}
      {settings.model === '' && (
        <Button
          size="small"
          className="self-center"
          onClick={() => void use({ model: 'demo', provider: '' }).catch(toastError)}
        >
          {words.demo}
        </Button>
      )}
    </section>
  );
}

function Providers(props: {
  providers: readonly ModelProvider[];
  picked: string;
  onPick(name: string): void;
}) {
  const words = useConnectWords();
  return (
    <fieldset aria-label={words.providers} className="grid grid-cols-2 gap-1.5 two:grid-cols-3">
      {props.providers.map(({ name, label, is_ready: isReady, models }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === props.picked}
          onClick={() => props.onPick(name)}
          className={cx(
            'flex min-h-9 items-center justify-between gap-2 rounded-base border bg-raised px-2.5 py-1.5 text-left hover:bg-hover two:last:col-span-2',
            name === props.picked ? 'border-accent ring-1 ring-accent' : 'border-line',
          )}
        >
          <span className="min-w-0 wrap-break-word">{labelOf({ name, label }, words)}</span>
          {isReady && models.length > 0 && <Badge tone="good">{words.ready}</Badge>}
        </button>
      ))}
    </fieldset>
  );
}

/** Undefined until they are there. */
function useProviders(): readonly ModelProvider[] | undefined {
  const [providers, setProviders] = useState<readonly ModelProvider[]>();
  useEffect(() => {
    let isGone = false;
    api.settings.providers().then(
      (answer) => !isGone && setProviders(readyFirst(answer.providers)),
      (error: unknown) => !isGone && toastError(error),
    );
    return () => {
      isGone = true;
    };
  }, []);
  return providers;
}

function readyFirst(providers: readonly ModelProvider[]): ModelProvider[] {
  const rank = ({ is_ready: isReady, models }: ModelProvider): number =>
    isReady && models.length > 0 ? 0 : 1;
  return providers.toSorted((a, b) => rank(a) - rank(b));
}
