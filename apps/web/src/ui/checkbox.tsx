// A box to tick, with its label; `mixed` when only some of what it stands for are.
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from './cx.ts';

type Props = {
  label: ReactNode;
  isChecked: boolean | 'mixed';
  onChange(isChecked: boolean): void;
  isLabelHidden?: boolean;
  isDisabled?: boolean;
  className?: string;
};

export function Checkbox({ label, isChecked, onChange, isLabelHidden, isDisabled, className }: Props) {
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
        className="size-4 shrink-0 accent-(--accent)"
      />
      <span className={isLabelHidden ? 'sr-only' : 'min-w-0'}>{label}</span>
    </label>
  );
}
