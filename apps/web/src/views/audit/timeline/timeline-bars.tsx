// The bars themselves: light while a person was waited for, full while it ran, coloured by how it ended.
import type { KeyboardEvent, RefObject } from 'react';
import { duration, exactTime } from '../../../text/format.ts';
import { useViewText } from '../../../text/use-text.ts';
import type { AuditRow } from '../audit-rows.ts';
import type { TimeScale, TimeWindow } from './time-scale.ts';
import { TimelineBar } from './timeline-bar.tsx';

type Props = {
  svg: RefObject<SVGSVGElement | null>;
  rows: readonly AuditRow[];
  scale: TimeScale;
  shown: TimeWindow;
  width: number;
  /** Which row the keyboard is on. */
  at: number;
  onKey(event: KeyboardEvent): void;
  onOpen(id: string): void;
  onChoose(at: number): void;
};

const laneHeight = 20;
const axisHeight = 20;
const mostLanes = 12;
const narrowest = 4;
const tickEvery = 110;

export function TimelineBars({ svg, rows, scale, shown, width, at, onKey, onOpen, onChoose }: Props) {
  const words = useViewText().audit;
  const span = (shown.to - shown.from) * scale.total;
  const xOf = (time: number): number => place(scale.placeOf(time));
  const place = (p: number): number => ((p - shown.from * scale.total) / span) * width;
  const drawn = rows.flatMap((row, index) => {
    const from = xOf(row.start);
    const to = Math.max(from + narrowest, xOf(row.end));
    return to < 0 || from > width ? [] : [{ item: { row, index }, from, to }];
  });
  const inOrder = drawn.toSorted((a, b) => a.from - b.from);
  const visibleBars = thinOut(inOrder, narrowest, ({ item }) => item.index === at);
  const { bars, lanes } = packLanes(visibleBars, mostLanes);
  const height = Math.max(1, lanes) * laneHeight + axisHeight;
  // Something must be reachable, also when what the keyboard was on is out of sight.
  const focusable = bars.some(({ item }) => item.index === at) ? at : bars[0]?.item.index;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing can't be a fieldset; it is a group of buttons.
    <svg
      ref={svg}
      role="group"
      // Holds the focus where no bar is in sight.
      tabIndex={-1}
      aria-label={words.timeline}
      width={width}
      height={height}
      onKeyDown={onKey}
      className="block overflow-hidden rounded-base border border-line bg-sunken"
    >
      <Axis {...{ scale, shown, width, height, place }} />
      {bars.map(({ item: { row, index }, from, to, lane }) => (
        <TimelineBar
          key={row.id}
          row={row}
          from={from}
          to={to}
          top={lane * laneHeight + 2}
          height={laneHeight - 4}
          width={width}
          xOf={xOf}
          isFocusable={index === focusable}
          onOpen={() => onOpen(row.id)}
          onFocus={() => onChoose(index)}
        />
      ))}
    </svg>
  );
}

type AxisProps = Pick<Props, 'scale' | 'shown' | 'width'> & { height: number; place(p: number): number };

function Axis({ scale, shown, width, height, place }: AxisProps) {
  const words = useViewText().audit;
  const ticks = Math.max(1, Math.floor(width / tickEvery));
  const line = height - axisHeight;
  return (
    <>
      {scale.pauses.map(({ place: at, length }) => (
        <line
          key={at}
          x1={place(at)}
          x2={place(at)}
          y1={0}
          y2={line}
          className="stroke-line-strong"
          strokeDasharray="2 3"
        >
          <title>{words.pause(duration(length))}</title>
        </line>
      ))}
      <line x1={0} x2={width} y1={line} y2={line} className="stroke-line" />
      {Array.from({ length: ticks }, (_, tick) => {
        const share = tick / ticks;
        const time = scale.timeAt((shown.from + share * (shown.to - shown.from)) * scale.total);
        return (
          <g key={share}>
            <line
              x1={share * width}
              x2={share * width}
              y1={line}
              y2={line + 4}
              className="stroke-line-strong"
            />
            <text x={share * width + 4} y={height - 6} className="fill-muted text-[0.6875rem]">
              {exactTime(time)}
            </text>
          </g>
        );
      })}
    </>
  );
}

// Puts bars into as few lanes as possible, so that none covers another; when there are too many at once, the last lane takes the rest.
type Bar<Item> = { item: Item; from: number; to: number; lane: number };

const gap = 2;

/** `from` and `to` in pixels, in the order of `from`. */
export function packLanes<Item>(
  bars: readonly Omit<Bar<Item>, 'lane'>[],
  mostLanes: number,
): { bars: Bar<Item>[]; lanes: number } {
  const ends: number[] = [];
  const packed = bars.map((bar): Bar<Item> => {
    const free = ends.findIndex((end) => end + gap <= bar.from);
    const lane = free === -1 ? Math.min(ends.length, mostLanes - 1) : free;
    ends[lane] = Math.max(ends[lane] ?? 0, bar.to);
    return { ...bar, lane };
  });
  return { bars: packed, lanes: ends.length };
}

// Bars that nobody could tell apart: of many short ones at the same pixel, one is drawn.
type Drawn = { from: number; to: number };

const many = 400;

/** In the order of `from`. Long ones stay, and what `isKept` says. */
export function thinOut<Bar extends Drawn>(
  bars: readonly Bar[],
  shortest: number,
  isKept: (bar: Bar) => boolean,
): Bar[] {
  if (bars.length <= many) return [...bars];
  let last = -Infinity;
  return bars.filter((bar) => {
    const isShort = bar.to - bar.from <= shortest;
    if (isShort && bar.from - last < 1 && !isKept(bar)) return false;
    if (isShort) last = bar.from;
    return true;
  });
}
