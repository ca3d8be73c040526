// The line between two columns: dragged with a pointer, or moved with the arrow keys.
import { useRef } from 'react';

type Props = {
  label: string;
  width: number;
  min: number;
  max: number;
  /** Which column grows when the line goes right. */
  grows: 'left' | 'right';
  onChange(width: number): void;
};

const step = 16;

export function Splitter({ label, width, min, max, grows, onChange }: Props) {
  const start = useRef({ x: 0, width });
  const sign = grows === 'left' ? 1 : -1;
  const set = (next: number): void => onChange(Math.round(Math.min(max, Math.max(min, next))));
  const onKey = (event: React.KeyboardEvent): void => {
    const moved = { ArrowRight: sign * step, ArrowLeft: -sign * step, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (moved === undefined) return;
    event.preventDefault();
    set(width + moved);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can't be moved; this is a control, after the window splitter pattern.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        set(start.current.width + sign * (event.clientX - start.current.x));
      }}
      className="relative z-10 -mx-1 w-2 shrink-0 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-1 after:w-px after:bg-line hover:after:bg-accent focus-visible:outline-none focus-visible:after:w-0.5 focus-visible:after:bg-accent"
    />
  );
}
