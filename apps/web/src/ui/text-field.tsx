// A field for one line, with its label; what is wrong is said below it and read aloud.
import { type ComponentProps, useId } from 'react';
import { cx } from './cx.ts';

type Props = ComponentProps<'input'> & {
  label: string;
  /** The label is only read aloud. */
  isLabelHidden?: boolean;
  hint?: string;
  problem?: string | undefined;
};

export function TextField({ label, isLabelHidden = false, hint, problem, className, ...rest }: Props) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-small font-medium text-muted'}>
        {label}
      </label>
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
