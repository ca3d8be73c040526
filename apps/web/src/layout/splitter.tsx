// The line between two columns, or above the panel below them: dragged with a pointer, or moved with the arrow keys.
import { useRef } from 'react';
import { cx } from '../ui/cx.ts';

type Props = {
  label: string;
  width: number;
  min: number;
  max: number;
  /** Which column grows when the line goes right or left; `up`: what is below it, when the line goes up. */
  grows: 'left' | 'right' | 'up';
  onChange(width: number): void;
};

const step = 16;

export function Splitter({ label, width, min, max, grows, onChange }: Props) {
  const start = useRef({ at: 0, width });
  const isLevel = grows === 'up';
  const sign = grows === 'left' ? 1 : -1;
  const [more, less] = isLevel ? ['ArrowDown', 'ArrowUp'] : ['ArrowRight', 'ArrowLeft'];
  const placeOf = ({ clientX, clientY }: React.PointerEvent): number => (isLevel ? clientY : clientX);
  const set = (next: number): void => onChange(Math.round(Math.min(max, Math.max(min, next))));
  const onKey = (event: React.KeyboardEvent): void => {
    const moved = { [more]: sign * step, [less]: -sign * step, Home: -Infinity, End: Infinity }[event.key];
    if (moved === undefined) return;
    event.preventDefault();
    set(width + moved);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can't be moved; this is a control, after the window splitter pattern.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={isLevel ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: placeOf(event), width };
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        set(start.current.width + sign * (placeOf(event) - start.current.at));
      }}
      className={cx(
        'relative z-10 shrink-0 touch-none after:absolute after:bg-line hover:after:bg-accent focus-visible:outline-none focus-visible:after:bg-accent',
        isLevel
          ? '-my-1 h-2 cursor-row-resize after:inset-x-0 after:top-1 after:h-px focus-visible:after:h-0.5'
          : '-mx-1 w-2 cursor-col-resize after:inset-y-0 after:left-1 after:w-px focus-visible:after:w-0.5',
      )}
    />
  );
}
