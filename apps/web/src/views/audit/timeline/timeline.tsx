// The picture of the calls: bars over time, closer or farther, by pointer and by keyboard.
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useViewText } from '../../../text/use-text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { type AuditRow, outcomeLooks, outcomes } from '../audit-rows.ts';
import { Overview } from './overview.tsx';
import {
  type TimeWindow,
  timelineMove,
  timeScale,
  wholeWindow,
  windowWith,
  zoomFactor,
  zoomWindow,
} from './time-scale.ts';
import { TimelineBars } from './timeline-bars.tsx';
import { useWidth } from './use-width.ts';

type Props = { rows: readonly AuditRow[]; onOpen(id: string): void };

export function Timeline({ rows, onOpen }: Props) {
  const words = useViewText().audit;
  const helpId = useId();
  const [box, width] = useWidth();
  const { shown, setShown, at, setAt, svg, scale, onKey } = useTimeline(rows);
  return (
    <section aria-label={words.timeline} aria-describedby={helpId} className="flex flex-col gap-1">
      <div className="flex items-center gap-0.5">
        <TimelineLegend rows={rows} />
        <span className="flex-1" />
        <ZoomButtons shown={shown} onChange={setShown} />
      </div>
      <div ref={box} className="flex flex-col gap-1">
        <TimelineBars
          svg={svg}
          rows={rows}
          scale={scale}
          shown={shown}
          width={width}
          at={Math.min(at, rows.length - 1)}
          onKey={onKey}
          onOpen={onOpen}
          onChoose={setAt}
        />
        <Overview rows={rows} scale={scale} shown={shown} width={width} onChange={setShown} />
      </div>
      <p id={helpId} className="text-small text-muted pointer-coarse:sr-only">
        {words.timelineHelp}
      </p>
    </section>
  );
}

/** The part that is shown, the bar that the keyboard is at, and what keys do to both. */
function useTimeline(rows: readonly AuditRow[]) {
  const [shown, setShown] = useState<TimeWindow>(wholeWindow);
  const [at, setAt] = useState(0);
  const svg = useRef<SVGSVGElement>(null);
  const scale = useMemo(() => timeScale(rows.map(({ start, end }) => ({ from: start, to: end }))), [rows]);
  const placeOf = (row: AuditRow | undefined): number =>
    row === undefined ? 0 : scale.placeOf(row.start) / scale.total;
  const show = (next: TimeWindow, chosen = at): void => {
    // Drawn at once: a bar that leaves the picture takes the focus with it, and the next key would reach nothing.
    flushSync(() => {
      setAt(chosen);
      setShown(next);
    });
    (svg.current?.querySelector<SVGElement>('[tabindex="0"]') ?? svg.current)?.focus();
  };
  const go = (to: number): void => {
    const row = rows[to];
    if (row !== undefined) show(windowWith(shown, placeOf(row)), to);
  };
  const onKey = (event: KeyboardEvent): void => {
    const move = timelineMove(event.key, { at, last: rows.length - 1, shown, place: placeOf(rows[at]) });
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if ('goTo' in move) go(move.goTo);
    else show(move.show);
  };
  return { shown, setShown, at, setAt, svg, scale, onKey };
}

type ZoomProps = { shown: TimeWindow; onChange(shown: TimeWindow): void };

function ZoomButtons({ shown, onChange }: ZoomProps) {
  const words = useViewText().audit;
  const zoom = (factor: number) => (): void => onChange(zoomWindow(shown, factor));
  return (
    <>
      <IconButton
        size="small"
        icon={ZoomOut}
        label={words.zoomOut}
        shortcut="−"
        onClick={zoom(1 / zoomFactor)}
      />
      <IconButton size="small" icon={ZoomIn} label={words.zoomIn} onClick={zoom(zoomFactor)} />
      <IconButton
        size="small"
        icon={Maximize}
        label={words.zoomAll}
        shortcut="0"
        onClick={() => onChange(wholeWindow)}
      />
    </>
  );
}

// The legend of the colours that occur.
function TimelineLegend({ rows }: { rows: readonly AuditRow[] }) {
  const words = useViewText().audit;
  const happened = new Set(rows.map(({ outcome }) => outcome));
  const shown = outcomes.filter((outcome) => outcome !== 'waiting' && happened.has(outcome));
  const hasWaited = rows.some(({ wait }) => wait !== undefined);
  return (
    <ul className="flex flex-wrap gap-x-3 text-small text-muted">
      {hasWaited && (
        <li className="flex items-center gap-1">
          <Swatch className="fill-warn-soft stroke-bar-warn" />
          {words.waitingTime}
        </li>
      )}
      {shown.map((outcome) => (
        <li key={outcome} className="flex items-center gap-1">
          <Swatch className={outcomeLooks[outcome].fill} />
          {words.outcomes[outcome]}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" width={12} height={12}>
      <rect x={1} y={1} width={10} height={10} rx={2} className={className} />
    </svg>
  );
}
