// A write-only field: it shows only whether a value is set, and is empty again after it was sent.
import { type FormEvent, useState } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';

type Props = {
  label: string;
  /** The provider whose key it is. */
  keyOf?: string;
  placeholder: string;
  isSet: boolean;
  /** Typed text is not shown. */
  isSecret?: boolean;
  isDisabled: boolean;
  /** Null removes it. Whether it was taken. */
  onSend(value: string | null): Promise<boolean>;
};

export function SecretField(props: Props) {
  const { label, keyOf, placeholder, isSet, isSecret = false, isDisabled, onSend } = props;
  const words = useViewText().settings;
  const [typed, setTyped] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const send = async (value: string | null): Promise<void> => {
    setIsBusy(true);
    const isTaken = await onSend(value);
    setIsBusy(false);
    if (isTaken) setTyped('');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() !== '') void send(typed.trim());
  };
  return (
    <form onSubmit={submit} data-key-of={keyOf} className="flex flex-wrap items-end gap-2" aria-label={label}>
      <TextField
        label={label}
        mark={<Badge tone={isSet ? 'good' : 'plain'}>{isSet ? words.isSet : words.isNotSet}</Badge>}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        spellCheck={false}
        value={typed}
        placeholder={placeholder}
        disabled={isDisabled}
        onChange={({ target }) => setTyped(target.value)}
        className="min-w-52 flex-1 basis-full two:basis-0"
      />
      <Button type="submit" disabled={isDisabled || isBusy || typed.trim() === ''}>
        {words.save}
      </Button>
      {/* Its place is kept, so that the fields below each other are of one width. */}
      <Button
        tone="quiet"
        disabled={isDisabled || isBusy || !isSet}
        className={isSet ? '' : 'invisible max-two:hidden'}
        onClick={() => void send(null)}
      >
        {words.remove}
      </Button>
    </form>
  );
}
