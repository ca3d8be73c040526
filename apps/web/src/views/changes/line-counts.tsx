// How many lines came and went.
import { number } from '../../text/format.ts';

export function LineCounts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null && removed === null) return null;
  return (
    <span className="shrink-0 font-mono text-tiny tabular-nums">
      <span className="text-good">+{number(added ?? 0)}</span>{' '}
      <span className="text-bad">−{number(removed ?? 0)}</span>
    </span>
  );
}
