// An on/off switch that takes effect immediately.
import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';

type Props = {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
};

export function Switch({ label, hint, isOn, onChange, isDisabled = false }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <Radix.Root
        id={id}
        checked={isOn}
        onCheckedChange={onChange}
        disabled={isDisabled}
        className="mt-0.5 h-4.5 w-8 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-3 translate-x-0.5 rounded-full bg-muted transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
      <label htmlFor={id} className="min-w-0">
        {label}
        {hint !== undefined && <span className="block text-small text-muted">{hint}</span>}
      </label>
    </div>
  );
}
