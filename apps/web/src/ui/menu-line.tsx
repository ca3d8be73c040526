// One line of a menu.
import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { cx } from './cx.ts';
import { Kbd } from './kbd.tsx';
import type { MenuItem } from './menu-item.ts';

export function MenuLine({ item }: { item: MenuItem }) {
  const { label, hint, icon, shortcut, isChosen, isDanger, isDisabled = false, onSelect } = item;
  return (
    <Radix.Item
      disabled={isDisabled}
      onSelect={onSelect}
      className={cx(
        'flex cursor-pointer items-center gap-2 rounded-base px-2 py-1.5 outline-none data-disabled:opacity-50 data-highlighted:bg-hover',
        isDanger && 'text-bad',
      )}
    >
      {isChosen !== undefined && (
        <Check aria-hidden className={cx('size-3.5 shrink-0 text-accent', !isChosen && 'invisible')} />
      )}
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{label}</span>
        {hint !== undefined && <span className="block text-small text-muted">{hint}</span>}
      </span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </Radix.Item>
  );
}
