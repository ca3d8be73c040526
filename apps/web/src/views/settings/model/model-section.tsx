// Which model answers, and with whose key. Keys are written, never read.
import { Bot } from 'lucide-react';
import { useState } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConnectModel } from '../../connect/connect-model.tsx';
import { useConnectWords } from '../../connect/connect-words.ts';
import { applyChange, type SectionProps } from '../section.ts';
import { useWantedKey } from '../wanted-key.ts';
import { ModelPicker } from './model-picker.tsx';
import { PriceForm } from './price-form.tsx';
import { addressExample, providerName, shownProviders, usualAddresses, usualKeys } from './provider-names.ts';
import { SecretField } from './secret-field.tsx';

export function ModelSection({ settings }: SectionProps) {
  useWantedKey();
  const words = useViewText().settings;
  const isDisabled = !settings.is_operator;
  return (
    <>
      {isDisabled && <p className="text-muted">{words.notOperator}</p>}
      {settings.is_demo && (
        <p className="flex flex-wrap items-center gap-2 rounded-base border border-line bg-raised p-3">
          <Bot aria-hidden className="size-4 text-muted" />
          <Badge tone="accent">{words.demo}</Badge>
          <span className="min-w-0 flex-1 basis-60">{words.demoHint}</span>
        </p>
      )}
      {settings.model === '' ? <ConnectModel isTitled={false} /> : <ModelPicker settings={settings} />}
      <ModelPrice settings={settings} />
      {settings.model !== '' && settings.is_operator && <ConnectAnother />}
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1 font-semibold">{words.keys}</legend>
        <p className="text-small text-muted">{words.keysHint}</p>
        {shownProviders(settings.keys, usualKeys).map((provider) => {
          const name = providerName(provider);
          return (
            <SecretField
              key={provider}
              keyOf={provider}
              isSecret
              label={words.keyOf(name)}
              placeholder={words.newKey}
              isSet={settings.keys[provider] === true}
              isDisabled={isDisabled}
              onSend={(key) =>
                applyChange(
                  { keys: { [provider]: key } },
                  key === null ? words.keyRemoved(name) : words.keySaved(name),
                )
              }
            />
          );
        })}
      </fieldset>
      <Addresses settings={settings} />
    </>
  );
}

function ModelPrice({ settings: { model, price, is_demo: isDemo, is_operator: isOperator } }: SectionProps) {
  const words = useViewText().settings;
  if (model === '' || isDemo || !isOperator) return null;
  const note = price === null ? words.priceUnknown : price.is_own ? words.priceOwn : words.pricePublished;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-semibold">{words.price}</legend>
      <PriceForm
        key={JSON.stringify([model, price])}
        model={model}
        note={note}
        price={price}
        canRemove={price?.is_own === true}
      />
      <p className="text-small text-muted">{words.priceHint}</p>
    </fieldset>
  );
}

function ConnectAnother() {
  const words = useConnectWords();
  const [isOpen, setIsOpen] = useState(false);
  return isOpen ? (
    <ConnectModel isTitled={false} />
  ) : (
    <Button className="self-start" onClick={() => setIsOpen(true)}>
      {words.another}
    </Button>
  );
}

function Addresses({ settings }: SectionProps) {
  const words = useViewText().settings;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-semibold">{words.addresses}</legend>
      <p className="text-small text-muted">{words.addressesHint}</p>
      {shownProviders(settings.base_urls, usualAddresses).map((provider) => {
        const name = providerName(provider);
        return (
          <SecretField
            key={provider}
            label={words.addressOf(name)}
            placeholder={addressExample(provider)}
            isSet={settings.base_urls[provider] === true}
            isDisabled={!settings.is_operator}
            onSend={(address) =>
              applyChange(
                { base_urls: { [provider]: address } },
                address === null ? words.addressRemoved(name) : words.addressSaved(name),
              )
            }
          />
        );
      })}
    </fieldset>
  );
}
