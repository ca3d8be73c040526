// A menu at a point of the page: what a right click or the menu key opens. The focus returns to where it was.
import { DropdownMenu as Radix } from 'radix-ui';
import { useContext } from 'react';
import type { MenuItem } from './menu-item.ts';
import { MenuLine } from './menu-line.tsx';
import { PortalHost } from './portal-host.ts';

type Props = {
  /** Undefined: closed. */
  at: { x: number; y: number } | undefined;
  label: string;
  items: readonly MenuItem[];
  onClose(): void;
  /** Who gets the focus back. */
  owner: { focus(): void } | null;
};

export function MenuAt({ at, label, items, onClose, owner }: Props) {
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
