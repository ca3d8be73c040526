// What the colours of the picture mean; only those that occur.
import { useText } from '../../text/use-text.ts';
import { type AuditRow, outcomes } from './audit-rows.ts';
import { outcomeLooks } from './outcome-looks.ts';

export function TimelineLegend({ rows }: { rows: readonly AuditRow[] }) {
  const words = useText().audit;
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
