// A short hint about a control, on hover and focus. The control's own label must not depend on it.
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Kbd } from './badge.tsx';
import { Floating } from './floating.tsx';

const delayMs = 400;
/** So long after one was shown, the next one comes without delay. */
const stillLookingMs = 300;
/** The pointer's way from the control to the hint. */
const wayMs = 150;

/** Only one is shown at a time. */
let hideShown: (() => void) | undefined;
let lastHiddenAt = Number.NEGATIVE_INFINITY;

/** A `button`, or a component that hands its properties on to one. */
export type ButtonElement = ReactElement<ComponentProps<'button'>>;

type Props = {
  label: string;
  shortcut?: string | undefined;
  /** At the right of a control that has others below it. */
  isBeside?: boolean;
  children: ButtonElement;
};

export function Tooltip({ label, shortcut, isBeside = false, children }: Props) {
  const id = useId();
  const { anchor, hide, triggerProps, tipProps } = useTooltip();
  return (
    <>
      {cloneElement(children, {
        ...bothHandlers(children.props, triggerProps),
        ...(anchor !== undefined && { 'aria-describedby': id }),
      })}
      {anchor !== undefined && (
        <Tip id={id} anchor={anchor} align={isBeside ? 'beside' : 'center'} hide={hide} {...tipProps}>
          {label}
          {shortcut !== undefined && <Kbd keys={shortcut} />}
        </Tip>
      )}
    </>
  );
}

type Shown = { current: Element };
type TipProps = ComponentProps<'div'> & { anchor: Shown; align: 'center' | 'beside'; hide(): void };

function Tip({ anchor, align, hide, ...rest }: TipProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    hideShown?.();
    hideShown = hide;
    const stop = new AbortController();
    const capture = { capture: true, signal: stop.signal };
    document.addEventListener('pointerdown', hide, capture);
    document.addEventListener(
      'scroll',
      ({ target }) => target instanceof Node && target.contains(anchor.current) && hide(),
      capture,
    );
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        // The key is used up: a dialog below stays open.
        event.preventDefault();
        hide();
      },
      capture,
    );
    return () => {
      stop.abort();
      if (hideShown === hide) hideShown = undefined;
      lastHiddenAt = performance.now();
    };
  }, [anchor, hide]);
  return (
    <Floating
      role="tooltip"
      box={box}
      anchor={anchor}
      align={align}
      gap={6}
      className="z-50 flex max-w-80 items-center gap-2 rounded-base border border-line bg-raised px-2 py-1 text-small text-text shadow-floating"
      {...rest}
    />
  );
}

/** The control while its hint is shown, and what the two of them listen to. */
function useTooltip() {
  const [anchor, setAnchor] = useState<Shown>();
  const [timer] = useState(createTimer);
  const isOver = useRef(false);
  const isPressed = useRef(false);
  const [hide] = useState(() => (): void => {
    timer.stop();
    setAnchor(undefined);
  });
  useEffect(() => timer.stop, [timer]);
  const show = (element: Element): void => {
    timer.stop();
    setAnchor({ current: element });
  };
  const triggerProps = {
    onPointerMove: ({ pointerType, currentTarget }) => {
      if (pointerType === 'touch' || isOver.current) return;
      isOver.current = true;
      const isLooking = hideShown !== undefined || performance.now() - lastHiddenAt < stillLookingMs;
      timer.start(() => show(currentTarget), isLooking ? 0 : delayMs);
    },
    onPointerLeave: () => {
      isOver.current = false;
      timer.start(hide, wayMs);
    },
    onPointerDown: () => {
      hide();
      isPressed.current = true;
      for (const type of ['pointerup', 'pointercancel'])
        document.addEventListener(type, () => (isPressed.current = false), { once: true });
    },
    onClick: hide,
    onFocus: ({ currentTarget }) =>
      !isPressed.current && currentTarget.matches(':focus-visible') && show(currentTarget),
    onBlur: hide,
  } satisfies ComponentProps<'button'>;
  const tipProps = { onPointerEnter: timer.stop, onPointerLeave: hide };
  return { anchor, hide, triggerProps, tipProps };
}

function createTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const start = (act: () => void, ms: number): void => {
    stop();
    timer = setTimeout(act, ms);
  };
  return { start, stop };
}

type Handlers = Record<string, unknown>;
type Handler = (event: unknown) => void;

/** `added`, where a handler that is in both becomes one that calls both: the element's own first. */
export function bothHandlers<Added extends object>(own: object, added: Added): Added {
  const pairs = Object.entries(added).map(([name, handler]): [string, unknown] => {
    const first = (own as Handlers)[name];
    if (typeof first !== 'function' || typeof handler !== 'function') return [name, handler];
    return [
      name,
      (event: unknown) => {
        (first as Handler)(event);
        (handler as Handler)(event);
      },
    ];
  });
  return Object.fromEntries(pairs) as Added;
}
