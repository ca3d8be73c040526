// Fields with a label: a line of text, and a choice from a list.

import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

// A field for one line, with its label; what is wrong is said below it and read aloud.
type TextFieldProps = ComponentProps<'input'> & {
  label: string;
  /** The label is only read aloud. */
  isLabelHidden?: boolean;
  /** Stands beside the label. */
  mark?: ReactNode;
  hint?: string;
  problem?: string | undefined;
};

export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden = false, mark, hint, problem, className, ...rest } = props;
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <div className={isLabelHidden ? 'sr-only' : 'flex flex-wrap items-center gap-2'}>
        <label htmlFor={id} className="text-small font-medium text-muted">
          {label}
        </label>
        {mark}
      </div>
      <input
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className="h-8 w-full min-w-0 rounded-base border border-line-strong/60 bg-surface px-2 placeholder:text-faint aria-invalid:border-bad"
        {...rest}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={cx('text-small', problem === undefined ? 'text-muted' : 'text-bad')}>
          {note}
        </p>
      )}
    </div>
  );
}

// The browser's own select: it works on every phone and with every screen reader.
type SelectProps = Omit<ComponentProps<'select'>, 'onChange' | 'value'> & {
  label: string;
  isLabelHidden?: boolean;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
};

export function Select({
  label,
  isLabelHidden = false,
  value,
  options,
  onChange,
  className,
  ...rest
}: SelectProps) {
  const id = useId();
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-small font-medium text-muted'}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="h-8 w-full min-w-0 appearance-none truncate rounded-base border border-line-strong/60 bg-surface pr-7 pl-2"
          {...rest}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2 size-4 text-muted" />
      </div>
    </div>
  );
}
