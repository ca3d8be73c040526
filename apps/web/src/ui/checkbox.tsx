// Boxes to tick, and a choice of one among several.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from './cx.ts';

// A box to tick, with its label; `mixed` when only some of what it stands for are.
type CheckboxProps = {
  label: ReactNode;
  isChecked: boolean | 'mixed';
  onChange(isChecked: boolean): void;
  isLabelHidden?: boolean;
  isDisabled?: boolean;
  className?: string;
};

export function Checkbox({
  label,
  isChecked,
  onChange,
  isLabelHidden,
  isDisabled,
  className,
}: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isChecked === 'mixed';
  }, [isChecked]);
  return (
    <label className={cx('inline-flex min-w-0 cursor-pointer items-center gap-2', className)}>
      <input
        ref={box}
        type="checkbox"
        checked={isChecked === true}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0"
      />
      <span className={isLabelHidden ? 'sr-only' : 'min-w-0'}>{label}</span>
    </label>
  );
}

// A choice of one of a few options, each with a hint.
type ChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; hint: string }[];
  onChange(value: Value): void;
};

export function RadioGroup<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-small font-medium text-muted">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'flex cursor-pointer items-start gap-2.5 rounded-base border px-3 py-2',
            option.value === value ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-describedby={`${id}-${option.value}`}
            aria-label={option.label}
            className="mt-0.5 size-4 shrink-0"
          />
          <span className="min-w-0">
            {option.label}
            <span id={`${id}-${option.value}`} className="block text-small text-muted">
              {option.hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
