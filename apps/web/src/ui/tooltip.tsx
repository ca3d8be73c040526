// A short hint about a control, on hover and focus. The control's own label must not depend on it.
import { Tooltip as Radix } from 'radix-ui';
import { createContext, type ReactNode, useContext } from 'react';
import { Kbd } from './kbd.tsx';

/** Where menus, popovers and tooltips are put: inside the open dialog, for whatever is outside of it lies below and is inert. */
export const PortalHost = createContext<HTMLElement | undefined>(undefined);

type Props = {
  label: string;
  shortcut?: string | undefined;
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
};

export function Tooltip({ label, shortcut, children, side = 'bottom' }: Props) {
  return (
    <Radix.Root delayDuration={400}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal container={useContext(PortalHost)}>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 items-center gap-2 rounded-base border border-line bg-raised px-2 py-1 text-small text-text shadow-floating"
        >
          {label}
          {shortcut !== undefined && <Kbd keys={shortcut} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;
