// A line of the tree that is no file: it is being read, empty, cut, or could not be read.
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import type { TreeRow } from './visible-rows.ts';

export function TreeNote({ row }: { row: Extract<TreeRow, { kind: 'note' }> }) {
  const words = useText().files;
  return (
    <p
      style={{ paddingLeft: `${(row.level - 1) * 0.75 + 1.75}rem` }}
      className={cx('truncate text-small leading-6', row.note === 'failed' ? 'text-bad' : 'text-faint')}
      title={row.message}
    >
      {words[row.note]} {row.message}
    </p>
  );
}
