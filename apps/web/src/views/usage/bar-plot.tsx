// Bars, stacked where a value has parts. A table with the same numbers stands behind it for those who can't see it.
import { useId } from 'react';
import { useWidth } from '../audit/timeline/use-width.ts';
import { axisMaximum } from './usage-figures.ts';

export type PlotPart = { id: string; label: string; fill: string };
type PlotBar = { key: string; label: string; values: readonly number[] };

type Props = {
  label: string;
  /** The name of the axis, such as `Day`. */
  axis: string;
  parts: readonly PlotPart[];
  bars: readonly PlotBar[];
  spell(value: number): string;
};

const height = 180;
const below = 22;
/** Of the labels beside the lines. */
const digitWidth = 7;
// Half of the last label.
const right = 14;
const lines = [0, 0.25, 0.5, 0.75, 1];
const widest = 44;
const labelWidth = 64;

export function BarPlot({ label, axis, parts, bars, spell }: Props) {
  const id = useId();
  const [box, width] = useWidth();
  const top = topOf(bars);
  const labels = lines.map((share) => spell(share * top));
  const left = Math.max(...labels.map(({ length }) => length)) * digitWidth + 10;
  const room = (width - left - right) / Math.max(1, bars.length);
  const thick = Math.min(widest, Math.max(1, room * 0.7));
  const every = Math.ceil(labelWidth / room);
  const yOf = (value: number): number => (height - below - 8) * (1 - value / top) + 8;
  return (
    <figure aria-labelledby={id} className="m-0 flex flex-col gap-1">
      <figcaption id={id} className="sr-only">
        {label}
      </figcaption>
      <div ref={box}>
        <svg aria-hidden="true" width={width} height={height} className="block">
          {lines.map((share, at) => (
            <GridLine key={share} y={yOf(share * top)} left={left} width={width} label={labels[at] ?? ''} />
          ))}
          {bars.map((bar, at) => (
            <g key={bar.key}>
              <title>{tell(bar, parts, spell)}</title>
              {/* Thin bars are hard to point at. */}
              <rect
                x={left + at * room}
                y={0}
                width={room}
                height={height - below}
                className="fill-transparent hover:fill-hover"
              />
              <Stack
                bar={bar}
                parts={parts}
                x={left + at * room + (room - thick) / 2}
                thick={thick}
                yOf={yOf}
              />
              {at % every === 0 && <BarLabel x={left + (at + 0.5) * room}>{bar.label}</BarLabel>}
            </g>
          ))}
        </svg>
      </div>
      {parts.length > 1 && <Legend parts={parts} />}
      <NumberTable label={label} axis={axis} parts={parts} bars={bars} spell={spell} />
    </figure>
  );
}

function GridLine({ y, left, width, label }: { y: number; left: number; width: number; label: string }) {
  return (
    <g>
      <line x1={left} x2={width} y1={y} y2={y} className="stroke-line" />
      <text x={left - 6} y={y + 4} textAnchor="end" className="fill-muted text-[0.6875rem]">
        {label}
      </text>
    </g>
  );
}

function BarLabel({ x, children }: { x: number; children: string }) {
  return (
    <text x={x} y={height - 6} textAnchor="middle" className="fill-muted text-[0.6875rem]">
      {children}
    </text>
  );
}

/** Things that are counted have no halves: an axis of four lines ends at four or more. */
function topOf(bars: readonly PlotBar[]): number {
  const top = axisMaximum(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const isCount = bars.every(({ values }) => values.every(Number.isInteger));
  return isCount ? Math.max(lines.length - 1, top) : top;
}

type StackProps = {
  bar: PlotBar;
  parts: readonly PlotPart[];
  x: number;
  thick: number;
  yOf(value: number): number;
};

function Stack({ bar, parts, x, thick, yOf }: StackProps) {
  return parts.map(({ id, fill }, part) => {
    const value = bar.values[part] ?? 0;
    const under = sum(bar.values.slice(0, part));
    if (value <= 0) return null;
    const y = yOf(under + value);
    return (
      <rect
        key={id}
        x={x}
        y={y}
        width={thick}
        height={Math.max(1, yOf(under) - y)}
        rx={2}
        className={`${fill} pointer-events-none`}
      />
    );
  });
}

function Legend({ parts }: { parts: readonly PlotPart[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 text-small text-muted">
      {parts.map(({ id, label, fill }) => (
        <li key={id} className="flex items-center gap-1">
          <svg aria-hidden="true" width={12} height={12}>
            <rect x={1} y={1} width={10} height={10} rx={2} className={fill} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

function NumberTable({ label, axis, parts, bars, spell }: Props) {
  return (
    <table aria-label={label} className="sr-only">
      <thead>
        <tr>
          <th scope="col">{axis}</th>
          {parts.map((part) => (
            <th key={part.id} scope="col">
              {part.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.key}>
            <th scope="row">{bar.label}</th>
            {parts.map(({ id }, part) => (
              <td key={id}>{spell(bar.values[part] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function tell({ label, values }: PlotBar, parts: readonly PlotPart[], spell: Props['spell']): string {
  return `${label}: ${parts.map((part, at) => `${part.label} ${spell(values[at] ?? 0)}`).join(', ')}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
