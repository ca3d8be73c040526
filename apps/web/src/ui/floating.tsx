// What floats beside a control: below it, above where there is more room, or at its right; never beyond the window.
import { type ComponentProps, createContext, type RefObject, useContext, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';

/** Where menus and tooltips are put: inside the open dialog, for whatever is outside of it lies below and is inert. */
export const PortalHost = createContext<HTMLElement | undefined>(undefined);

export type ScreenPoint = { x: number; y: number };
type Anchor = ScreenPoint | { readonly current: Element | null };

type Place = { align: 'start' | 'center' | 'end' | 'beside'; gap: number };
type Props = ComponentProps<'div'> & Place & { anchor: Anchor; box: RefObject<HTMLDivElement | null> };

export function Floating({ anchor, align, gap, box, className, ...rest }: Props) {
  useLayoutEffect(
    () => (box.current === null ? undefined : follow(box.current, anchor, { align, gap })),
    [anchor, align, gap, box],
  );
  const host = useContext(PortalHost);
  return createPortal(
    <div ref={box} className={cx('fixed w-max', className)} {...rest} />,
    host ?? document.body,
  );
}

/** Keeps the box beside its anchor while anything moves or grows. Returns how to stop. */
function follow(box: HTMLElement, anchor: Anchor, place: Place): () => void {
  let frame = 0;
  const look = (): void => {
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const size = { width: box.offsetWidth, height: box.scrollHeight + box.offsetHeight - box.clientHeight };
    const { left, top, maxHeight } = placeBeside(rectOf(anchor), size, { width, height }, place);
    // The styles object writes nothing when the value is the same.
    Object.assign(box.style, { left: `${left}px`, top: `${top}px`, maxHeight: `${maxHeight}px` });
    frame = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(frame);
}

type Rect = { left: number; top: number; right: number; bottom: number };
type Size = { width: number; height: number };

const margin = 8;

/** In whole pixels, so that text is sharp. */
export function placeBeside(anchor: Rect, size: Size, screen: Size, { align, gap }: Place) {
  const below = screen.height - margin - anchor.bottom - gap;
  const above = anchor.top - gap - margin;
  const isAbove = size.height > below && above > below;
  const maxHeight = Math.max(0, Math.floor(isAbove ? above : below));
  const height = Math.min(size.height, maxHeight);
  if (align === 'beside') {
    const middle = (anchor.top + anchor.bottom - size.height) / 2;
    const top = Math.max(margin, Math.min(middle, screen.height - margin - size.height));
    return {
      left: Math.round(anchor.right + gap),
      top: Math.round(top),
      maxHeight: screen.height - 2 * margin,
    };
  }
  const aligned = {
    start: anchor.left,
    center: (anchor.left + anchor.right - size.width) / 2,
    end: anchor.right - size.width,
  }[align];
  const left = Math.max(margin, Math.min(aligned, screen.width - margin - size.width));
  const top = isAbove ? anchor.top - gap - height : anchor.bottom + gap;
  return { left: Math.round(left), top: Math.round(top), maxHeight };
}

function rectOf(anchor: Anchor): Rect {
  if ('current' in anchor) return anchor.current?.getBoundingClientRect() ?? rectOf({ x: 0, y: 0 });
  return { left: anchor.x, top: anchor.y, right: anchor.x, bottom: anchor.y };
}
