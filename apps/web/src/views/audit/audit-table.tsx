// The calls as a table, the latest first: the content of the timeline in words.
import { visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { dateTime, duration, exactTime } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type AuditRow, outcomeLooks, type TimeSpan } from './audit-rows.ts';

const pageOf = 100;
const head = 'border-b border-line px-2 py-1.5 text-small font-medium whitespace-nowrap text-muted';
const cell = 'border-b border-line px-2 py-1.5 align-top';
const wide = 'hidden @2xl:table-cell';
const number = `${wide} text-right whitespace-nowrap tabular-nums`;

type Props = { rows: readonly AuditRow[]; onOpen(id: string): void };

export function AuditTable({ rows, onOpen }: Props) {
  const words = useViewText().audit;
  const [most, setMost] = useState(pageOf);
  const shown = rows.toReversed().slice(0, most);
  return (
    <>
      <table aria-label={words.table} className="w-full border-collapse">
        <thead>
          <tr>
            <th scope="col" className={`${head} text-left`}>
              {words.when}
            </th>
            <th scope="col" className={`${head} text-left`}>
              {words.call}
            </th>
            <th scope="col" className={`${head} text-left`}>
              {words.outcome}
            </th>
            <th scope="col" className={`${head} ${wide} text-left`}>
              {words.person}
            </th>
            {[words.waited, words.ran].map((label) => (
              <th key={label} scope="col" className={`${head} ${wide} text-right`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Line key={row.id} row={row} onOpen={() => onOpen(row.id)} />
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <Button size="small" tone="quiet" className="self-start" onClick={() => setMost(most + pageOf)}>
          {words.more}
        </Button>
      )}
    </>
  );
}

function Line({ row, onOpen }: { row: AuditRow; onOpen(): void }) {
  const words = useViewText().audit;
  const { start, title, tool, outcome, who, wait, run } = row;
  return (
    <tr data-audit-call={row.id} className="hover:bg-hover">
      <td className={`${cell} text-small whitespace-nowrap text-muted tabular-nums`}>
        <time title={dateTime(start)}>{exactTime(start)}</time>
      </td>
      <td className={`${cell} max-w-0 w-full`}>
        <button
          type="button"
          aria-label={words.details(title)}
          onClick={onOpen}
          className="block max-w-full truncate text-left hover:underline"
        >
          {title}
        </button>
        <span className="block truncate text-tiny text-muted">
          <span className="font-mono">{visibleLine(tool)}</span>
          <span className="@2xl:hidden">
            {[who !== '' && visibleLine(who), lasting(wait), lasting(run)]
              .filter(Boolean)
              .map((part) => ` · ${part}`)}
          </span>
        </span>
      </td>
      <td className={cell}>
        <Badge tone={outcomeLooks[outcome].tone}>{words.outcomes[outcome]}</Badge>
      </td>
      <td className={`${cell} ${wide} whitespace-nowrap`}>{visibleLine(who)}</td>
      <td className={`${cell} ${number}`}>{lasting(wait)}</td>
      <td className={`${cell} ${number}`}>{lasting(run)}</td>
    </tr>
  );
}

function lasting(span: TimeSpan | undefined): string {
  return span === undefined ? '' : duration(span.to - span.from);
}
