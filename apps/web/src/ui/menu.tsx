// Menus: below a button, and at the place of a right click.

import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useContext } from 'react';
import { cx } from './cx.ts';
import { Kbd } from './kbd.tsx';
import { PortalHost } from './tooltip.tsx';

// A menu behind a button. Not modal: the page goes on, and no style element has to be inserted to hold it still.
type MenuProps = {
  trigger: ReactNode;
  label: string;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
  /** With `onOpenChange`, when something else opens it too. */
  isOpen?: boolean;
  onOpenChange?(isOpen: boolean): void;
};

export function Menu({ trigger, label, items, align = 'start', isOpen, onOpenChange }: MenuProps) {
  return (
    <Radix.Root
      modal={false}
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={useContext(PortalHost)}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-44 overflow-auto rounded-large border border-line bg-raised p-1 shadow-floating"
        >
          {items.map((item) => (
            <MenuLine key={item.id} item={item} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

// A menu at a point of the page: what a right click or the menu key opens. The focus returns to where it was.
type MenuAtProps = {
  /** Undefined: closed. */
  at: { x: number; y: number } | undefined;
  label: string;
  items: readonly MenuItem[];
  onClose(): void;
  /** The element that gets the focus back. */
  owner: { focus(): void } | null;
};

export function MenuAt({ at, label, items, onClose, owner }: MenuAtProps) {
  const host = useContext(PortalHost);
  return (
    <Radix.Root modal={false} open={at !== undefined} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Trigger asChild>
        <span
          aria-hidden
          tabIndex={-1}
          className="fixed size-0"
          style={{ left: at?.x ?? 0, top: at?.y ?? 0 }}
        />
      </Radix.Trigger>
      <Radix.Portal container={host}>
        <Radix.Content
          aria-label={label}
          align="start"
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            owner?.focus();
          }}
          className="z-40 max-w-80 min-w-44 overflow-auto rounded-large border border-line bg-raised p-1 shadow-floating"
        >
          {items.map((item) => (
            <MenuLine key={item.id} item={item} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

// One line of a menu.
function MenuLine({ item }: { item: MenuItem }) {
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

// The label and action of a menu item.
export type MenuItem = {
  id: string;
  label: string;
  hint?: string | undefined;
  icon?: ReactNode;
  shortcut?: string | undefined;
  isChosen?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect(): void;
};
