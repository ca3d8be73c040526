// Menus: below a button, and at the place of a right click. Not modal: the page goes on.
import {
  cloneElement,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { ScreenPoint } from './floating.tsx';
import { type MenuItem, MenuList, noteInput } from './menu-list.tsx';
import { type ButtonElement, bothHandlers } from './tooltip.tsx';

export type { MenuItem } from './menu-list.tsx';

type MenuProps = {
  trigger: ButtonElement;
  label: string;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
  /** With `onOpenChange`, when something else opens it too. */
  isOpen?: boolean;
  onOpenChange?(isOpen: boolean): void;
};

export function Menu({ trigger, label, items, align = 'start', isOpen, onOpenChange }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpenHere, setIsOpenHere] = useState(false);
  const isShown = isOpen ?? isOpenHere;
  useEffect(noteInput, []);
  const change = (next: boolean): void => {
    setIsOpenHere(next);
    onOpenChange?.(next);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || event.ctrlKey) return;
      // The focus goes to the menu, not to the button.
      if (!isShown) event.preventDefault();
      change(!isShown);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
      event.preventDefault();
      change(event.key === 'ArrowDown' || !isShown);
    },
  };
  return (
    <>
      {cloneElement(trigger, {
        ...bothHandlers(trigger.props, handlers),
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': isShown,
        'aria-controls': isShown ? id : undefined,
      })}
      {isShown && (
        <MenuList {...{ id, label, items, align }} gap={4} owner={button} onClose={() => change(false)} />
      )}
    </>
  );
}

// A menu at a point of the page: what a right click or the menu key opens. The focus returns to where it was.
type MenuAtProps = {
  /** Undefined: closed. */
  at: ScreenPoint | undefined;
  label: string;
  items: readonly MenuItem[];
  onClose(): void;
  /** The element that gets the focus back. */
  owner: HTMLElement | null;
};

export function MenuAt({ at, label, items, onClose, owner }: MenuAtProps) {
  const id = useId();
  useEffect(noteInput, []);
  if (at === undefined) return null;
  return (
    <MenuList
      key={`${at.x} ${at.y}`}
      {...{ id, at, label, items, onClose }}
      align="start"
      gap={0}
      owner={{ current: owner }}
    />
  );
}
