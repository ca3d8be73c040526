// One of several, with the browser's own list: it works on every phone and with every screen reader.
import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { cx } from './cx.ts';

type Props = Omit<ComponentProps<'select'>, 'onChange' | 'value'> & {
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
}: Props) {
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
