// All calls in a strip, and which part of it is shown above: drawn with the pointer. The keyboard has keys and buttons for the same.
import { type PointerEvent, useRef } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { type AuditRow, outcomeLooks } from '../audit-rows.ts';
import { fitWindow, type TimeScale, type TimeWindow, wholeWindow } from './time-scale.ts';

type Props = {
  rows: readonly AuditRow[];
  scale: TimeScale;
  shown: TimeWindow;
  width: number;
  onChange(shown: TimeWindow): void;
};

const height = 26;
const clickPixels = 3;

export function Overview({ rows, scale, shown, width, onChange }: Props) {
  const words = useViewText().audit;
  const start = useRef<number | undefined>(undefined);
  const shareOf = (event: PointerEvent<SVGSVGElement>): number =>
    Math.min(1, Math.max(0, (event.clientX - event.currentTarget.getBoundingClientRect().left) / width));
  const end = (event: PointerEvent<SVGSVGElement>): void => {
    const from = start.current;
    start.current = undefined;
    if (from === undefined || Math.abs(shareOf(event) - from) * width > clickPixels) return;
    // A click without drawing: the same width, there.
    const half = (shown.to - shown.from) / 2;
    onChange(half >= 0.5 ? wholeWindow : fitWindow({ from: from - half, to: from + half }));
  };
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      className="block cursor-crosshair touch-none rounded-base border border-line bg-surface"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = shareOf(event);
      }}
      onPointerMove={(event) => {
        const from = start.current;
        if (from === undefined || Math.abs(shareOf(event) - from) * width <= clickPixels) return;
        onChange(fitWindow({ from, to: shareOf(event) }));
      }}
      onPointerUp={end}
    >
      <title>{words.overview}</title>
      <CallMarks rows={rows} scale={scale} width={width} />
      <rect
        x={shown.from * width}
        y={0.5}
        width={Math.max(3, (shown.to - shown.from) * width)}
        height={height - 1}
        className="fill-accent/15 stroke-accent"
      />
    </svg>
  );
}

function CallMarks({ rows, scale, width }: Pick<Props, 'rows' | 'scale' | 'width'>) {
  const xOf = (time: number): number => (scale.placeOf(time) / scale.total) * width;
  return rows.map(({ id, outcome, start, end }) => (
    <rect
      key={id}
      x={xOf(start)}
      y={7}
      width={Math.max(1, xOf(end) - xOf(start))}
      height={height - 14}
      className={outcomeLooks[outcome].fill}
    />
  ));
}
