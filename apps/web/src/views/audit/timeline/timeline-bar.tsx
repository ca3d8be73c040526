// A call in the timeline, as a button that opens its details.
import { visibleLine } from '@codelab/protocol';
import { duration } from '../../../text/format.ts';
import { useViewText } from '../../../text/use-text.ts';
import { type AuditRow, outcomeLooks } from '../audit-rows.ts';

type Props = {
  row: AuditRow;
  from: number;
  to: number;
  top: number;
  height: number;
  /** The width of the whole timeline. */
  width: number;
  xOf(time: number): number;
  isFocusable: boolean;
  onOpen(): void;
  onFocus(): void;
};

const letter = 6.6;

export function TimelineBar(props: Props) {
  const { row, from, to, top, height, width, xOf, isFocusable, onOpen, onFocus } = props;
  const waitTo = row.wait === undefined ? from : Math.min(to, Math.max(from, xOf(row.wait.to)));
  const runFrom = Math.min(to - 3, Math.max(from, row.run === undefined ? waitTo : xOf(row.run.from)));
  const name = useName(row);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: there is no button inside a drawing. */}
      <g
        role="button"
        tabIndex={isFocusable ? 0 : -1}
        aria-label={name}
        onClick={onOpen}
        onFocus={onFocus}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          onOpen();
        }}
        className="group cursor-pointer outline-none"
      >
        <title>{name}</title>
        <Spans {...{ row, from, to, top, height, waitTo, runFrom }} />
        <rect
          x={from - 1}
          y={top - 1}
          width={to - from + 2}
          height={height + 2}
          rx={4}
          className="fill-transparent stroke-2 stroke-transparent group-hover:stroke-accent/50 group-focus-visible:stroke-accent"
        />
      </g>
      <BarLabel row={row} left={Math.max(0, from)} right={Math.min(waitTo, width)} bottom={top + height} />
    </>
  );
}

type SpansProps = Pick<Props, 'row' | 'from' | 'to' | 'top' | 'height'> & { waitTo: number; runFrom: number };

/** How long the call waited for a person, and how long it ran. */
function Spans({ row: { outcome }, from, to, top, height, waitTo, runFrom }: SpansProps) {
  const common = { y: top, height };
  return (
    <>
      {waitTo - from >= 1 && (
        <rect {...common} x={from} width={waitTo - from} rx={3} className="fill-warn-soft stroke-bar-warn" />
      )}
      {outcome !== 'waiting' && (
        <rect
          {...common}
          x={runFrom}
          width={Math.max(3, to - runFrom)}
          rx={2}
          className={outcomeLooks[outcome].fill}
        />
      )}
    </>
  );
}

type LabelProps = { row: AuditRow; left: number; right: number; bottom: number };

/** Stands in the light part, where every colour is read well; beside the button, whose name says it all already. */
function BarLabel({ row: { who, tool }, left, right, bottom }: LabelProps) {
  const fits = Math.floor((right - left - 8) / letter);
  if (fits < 4) return null;
  return (
    <text x={left + 5} y={bottom - 4.5} className="pointer-events-none fill-text text-[0.6875rem]">
      {cut(visibleLine(who === '' ? tool : `${tool} · ${who}`), fits)}
    </text>
  );
}

function useName({ title, outcome, who, wait, run }: AuditRow): string {
  const words = useViewText().audit;
  return [
    title,
    words.outcomes[outcome],
    wait && `${words.waited} ${duration(wait.to - wait.from)}`,
    run && `${words.ran} ${duration(run.to - run.from)}`,
    who !== '' && `${words.person} ${visibleLine(who)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
