// A plain table that scrolls inside itself; columns say how a row is shown.
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

/** `isWide` takes the room the others leave, and is cut where that is little. */
export type Column<Row> = {
  id: string;
  label: string;
  isNumber?: boolean;
  isWide?: boolean;
  cell(row: Row): ReactNode;
};

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
};

export function Table<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse text-left">
        <thead>
          <tr>
            {columns.map(({ id, label: name, isNumber }) => (
              <th
                key={id}
                scope="col"
                className={cx(
                  'border-b border-line px-2 py-1.5 text-small font-medium whitespace-nowrap text-muted',
                  isNumber && 'text-right',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="hover:bg-hover">
              {columns.map(({ id, isNumber, isWide, cell }) => (
                <td
                  key={id}
                  className={cx(
                    'border-b border-line px-2 py-1.5 align-top',
                    isWide && 'w-full max-w-0 min-w-28',
                    isNumber && 'text-right whitespace-nowrap tabular-nums',
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
