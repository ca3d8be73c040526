// The list of an open menu: arrow keys, letters, Enter, Escape, and the pointer, after the ARIA pattern.
import { Check } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Kbd } from './badge.tsx';
import { cx } from './cx.ts';
import { Floating, type ScreenPoint } from './floating.tsx';

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

type Props = {
  id: string;
  label: string;
  items: readonly MenuItem[];
  align: 'start' | 'end';
  gap: number;
  /** Where it opens; without it, beside its owner. */
  at?: ScreenPoint;
  /** Gets the focus back, and is no place beside the menu. */
  owner: RefObject<HTMLElement | null>;
  onClose(): void;
};

export function MenuList({ id, label, items, align, gap, at, owner, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(box);
  useCloseBeside({ box, owner, onClose });
  const [typed] = useState(createTypedText);
  const closeAndReturn = (): void => {
    onClose();
    owner.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    const isChoice = key === 'Enter' || (key === ' ' && !typed.isGoingOn());
    const line = isChoice ? linesOf(box.current).find((item) => item === document.activeElement) : undefined;
    const isOurs =
      key === 'Escape' || key === 'Tab' || line !== undefined || moveBy(event, box.current, typed);
    if (!isOurs) return;
    // Such a key is none of what is below.
    event.preventDefault();
    event.stopPropagation();
    line?.click();
    if (key === 'Escape') closeAndReturn();
  };
  return (
    <Floating
      {...{ id, align, gap, box, onKeyDown }}
      anchor={at ?? owner}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className="z-40 max-w-80 min-w-44 overflow-auto rounded-large border border-line bg-raised p-1 shadow-floating outline-none"
    >
      {items.map((item) => (
        <MenuLine
          key={item.id}
          item={item}
          box={box}
          onSelect={() => {
            // First, so that whatever the item opens takes the focus from there.
            closeAndReturn();
            item.onSelect();
          }}
        />
      ))}
    </Floating>
  );
}

type LineProps = { item: MenuItem; box: RefObject<HTMLDivElement | null>; onSelect(): void };

function MenuLine({ item, box, onSelect }: LineProps) {
  const { label, hint, icon, shortcut, isChosen, isDanger, isDisabled = false } = item;
  const isPressed = useRef(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys of all its lines.
    <div
      role="menuitem"
      tabIndex={-1}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onSelect()}
      onPointerDown={() => {
        isPressed.current = true;
      }}
      // Pressed on the button, pulled here and released.
      onPointerUp={({ button, currentTarget }) => button === 0 && !isPressed.current && currentTarget.click()}
      onPointerMove={({ pointerType, currentTarget }) => {
        if (pointerType === 'mouse')
          (isDisabled ? box.current : currentTarget)?.focus({ preventScroll: true });
      }}
      onPointerLeave={({ pointerType }) =>
        pointerType === 'mouse' && box.current?.focus({ preventScroll: true })
      }
      className={cx(
        'flex cursor-pointer items-center gap-2 rounded-base px-2 py-1.5 outline-none focus:bg-hover aria-disabled:opacity-50',
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
    </div>
  );
}

let isByKeyboard = false;
let isNoting = false;

/** To be called before a menu is opened: whether by a key decides where its focus begins. */
export function noteInput(): void {
  if (isNoting) return;
  isNoting = true;
  for (const type of ['keydown', 'pointerdown', 'pointermove'])
    document.addEventListener(type, () => (isByKeyboard = type === 'keydown'), {
      capture: true,
      passive: true,
    });
}

function useFirstFocus(box: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const first = isByKeyboard ? linesOf(box.current)[0] : undefined;
    (first ?? box.current)?.focus({ preventScroll: true });
  }, [box]);
}

type Beside = Pick<Props, 'owner' | 'onClose'> & { box: RefObject<HTMLDivElement | null> };

/** A press or the focus beside the menu closes it, and keeps the focus there. */
function useCloseBeside({ box, owner, onClose }: Beside): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const look = (event: Event): void => {
      const { type, target } = event;
      if (!(target instanceof Node)) return;
      const isInside = box.current?.contains(target) === true || owner.current?.contains(target) === true;
      // A finger may be about to scroll: its tap ends in a click.
      const isFinger = type === 'pointerdown' && (event as PointerEvent).pointerType === 'touch';
      if (!isInside && !isFinger) close.current();
    };
    for (const type of ['pointerdown', 'click', 'focusin']) document.addEventListener(type, look, true);
    return () => {
      for (const type of ['pointerdown', 'click', 'focusin']) document.removeEventListener(type, look, true);
    };
  }, [box, owner]);
}

function linesOf(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled])') ?? [])];
}

/** Moves the focus as the key says; returns whether the key was one that does. */
function moveBy(event: KeyboardEvent, box: HTMLElement | null, typed: TypedText): boolean {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey || altKey || metaKey) return false;
  const lines = linesOf(box);
  const at = lines.indexOf(document.activeElement as HTMLElement);
  const target = {
    ArrowDown: lines[Math.min(at + 1, lines.length - 1)],
    ArrowUp: at === -1 ? lines.at(-1) : lines[Math.max(at - 1, 0)],
    Home: lines[0],
    PageUp: lines[0],
    End: lines.at(-1),
    PageDown: lines.at(-1),
  }[key];
  if (target === undefined && [...key].length > 1) return false;
  (target ?? typed.find(key, lines, at))?.focus();
  return true;
}

const pauseMs = 1000;
type TypedText = {
  isGoingOn(): boolean;
  find(letter: string, lines: readonly HTMLElement[], at: number): HTMLElement | undefined;
};

/** Letters typed one after the other find the line that begins with them; the same one again goes to the next. */
function createTypedText(): TypedText {
  let text = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  const isGoingOn = (): boolean => performance.now() - lastAt < pauseMs;
  return {
    isGoingOn,
    find(letter, lines, at) {
      text = isGoingOn() ? `${text}${letter}` : letter;
      lastAt = performance.now();
      const isRepeated = text === letter.repeat(text.length);
      const wanted = (isRepeated ? letter : text).toLowerCase();
      const from = isRepeated ? at + 1 : Math.max(at, 0);
      const inTurn = [...lines.slice(from), ...lines.slice(0, from)];
      return inTurn.find((line) => line.textContent.trim().toLowerCase().startsWith(wanted));
    },
  };
}
