// The picture of the calls: bars over time, closer or farther, by pointer and by keyboard.
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { AuditRow } from './audit-rows.ts';
import { Overview } from './overview.tsx';
import { timeScale } from './time-scale.ts';
import { type TimeWindow, wholeWindow, windowWith, zoomWindow } from './time-window.ts';
import { TimelineBars } from './timeline-bars.tsx';
import { TimelineLegend } from './timeline-legend.tsx';
import { closer, timelineMove } from './timeline-move.ts';
import { useWidth } from './use-width.ts';

type Props = { rows: readonly AuditRow[]; onOpen(id: string): void };

export function Timeline({ rows, onOpen }: Props) {
  const words = useText().audit;
  const helpId = useId();
  const [box, width] = useWidth();
  const [shown, setShown] = useState<TimeWindow>(wholeWindow);
  const [at, setAt] = useState(0);
  const group = useRef<SVGSVGElement>(null);
  const scale = useMemo(() => timeScale(rows.map(({ start, end }) => ({ from: start, to: end }))), [rows]);
  const zoom = (factor: number): void => setShown(zoomWindow(shown, factor));
  const placeOf = (row: AuditRow | undefined): number =>
    row === undefined ? 0 : scale.placeOf(row.start) / scale.total;
  const show = (next: TimeWindow, chosen = at): void => {
    // Drawn at once: a bar that leaves the picture takes the focus with it, and the next key would reach nothing.
    flushSync(() => {
      setAt(chosen);
      setShown(next);
    });
    (group.current?.querySelector<SVGElement>('[tabindex="0"]') ?? group.current)?.focus();
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
  return (
    <section aria-label={words.timeline} aria-describedby={helpId} className="flex flex-col gap-1">
      <div className="flex items-center gap-0.5">
        <TimelineLegend rows={rows} />
        <span className="flex-1" />
        <IconButton
          size="small"
          icon={ZoomOut}
          label={words.zoomOut}
          shortcut="−"
          onClick={() => zoom(1 / closer)}
        />
        <IconButton size="small" icon={ZoomIn} label={words.zoomIn} onClick={() => zoom(closer)} />
        <IconButton
          size="small"
          icon={Maximize}
          label={words.zoomAll}
          shortcut="0"
          onClick={() => setShown(wholeWindow)}
        />
      </div>
      <div ref={box} className="flex flex-col gap-1">
        <TimelineBars
          svg={group}
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
      <p id={helpId} className="text-small text-muted">
        {words.timelineHelp}
      </p>
    </section>
  );
}
