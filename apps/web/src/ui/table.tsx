// A plain table; columns define how a row is shown. In a narrow place it scrolls, or its rows become blocks of labelled values.
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
  /** Whether rows become blocks in a narrow container, so that no column is out of sight. */
  isStacked?: boolean;
};

const shortName = 12;

export function Table<Row>({ label, columns, rows, keyOf, isStacked = false }: Props<Row>) {
  return (
    <div className={isStacked ? undefined : 'overflow-x-auto'}>
      <table
        aria-label={label}
        className={cx('w-full border-collapse text-left', isStacked && '@max-3xl:block')}
      >
        <thead className={cx(isStacked && '@max-3xl:sr-only')}>
          <tr>
            {columns.map(({ id, label: name, isNumber }) => (
              <th
                key={id}
                scope="col"
                className={cx(
                  'border-b border-line px-2 py-1.5 align-bottom text-small font-medium text-muted',
                  // Long names, as in Russian, would push the last columns out of sight.
                  name.length <= shortName && 'whitespace-nowrap',
                  isNumber && 'text-right',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={cx(isStacked && '@max-3xl:block')}>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={cx(
                'hover:bg-hover',
                isStacked &&
                  '@max-3xl:grid @max-3xl:border-b @max-3xl:border-line @max-3xl:py-1.5 @max-md:grid-cols-3',
                // The first one has a line of its own; of five others none stands alone in the next line.
                isStacked && (columns.length === 6 ? '@md:@max-3xl:grid-cols-5' : '@md:@max-3xl:grid-cols-4'),
              )}
            >
              {columns.map((column) => (
                <Cell key={column.id} column={column} row={row} isStacked={isStacked} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type CellProps<Row> = { column: Column<Row>; row: Row; isStacked: boolean };

function Cell<Row>({ column: { label, isNumber, isWide, cell }, row, isStacked }: CellProps<Row>) {
  return (
    <td
      className={cx(
        'border-b border-line px-2 py-1.5 align-top',
        isWide && 'w-full max-w-0 min-w-28',
        isNumber && 'text-right whitespace-nowrap tabular-nums',
        isStacked && '@max-3xl:border-0 @max-3xl:py-0.5 @max-3xl:pl-0 @max-3xl:text-left',
        isStacked && isWide && '@max-3xl:col-span-full @max-3xl:max-w-none',
      )}
    >
      {/* The header of the column says it to a screen reader. */}
      {isStacked && !isWide && (
        <span aria-hidden className="block text-tiny text-muted @3xl:hidden">
          {label}
        </span>
      )}
      {cell(row)}
    </td>
  );
}
