// A menu behind a button. Not modal: the page goes on, and no style element has to be inserted to hold it still.
import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useContext } from 'react';
import type { MenuItem } from './menu-item.ts';
import { MenuLine } from './menu-line.tsx';
import { PortalHost } from './portal-host.ts';

export type { MenuItem } from './menu-item.ts';

type Props = { trigger: ReactNode; label: string; items: readonly MenuItem[]; align?: 'start' | 'end' };

export function Menu({ trigger, label, items, align = 'start' }: Props) {
  return (
    <Radix.Root modal={false}>
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
