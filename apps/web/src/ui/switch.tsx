// An on/off switch that takes effect immediately.
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
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={isOn}
        disabled={isDisabled}
        onClick={() => onChange(!isOn)}
        className="group mt-0.5 h-4.5 w-8 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors disabled:opacity-50 aria-checked:border-accent aria-checked:bg-accent"
      >
        <span className="block size-3 translate-x-0.5 rounded-full bg-muted transition-transform group-aria-checked:translate-x-4 group-aria-checked:bg-on-accent" />
      </button>
      <label htmlFor={id} className="min-w-0">
        {label}
        {hint !== undefined && <span className="block text-small text-muted">{hint}</span>}
      </label>
    </div>
  );
}
