// Labels of a change: its added and removed lines, and whether it still holds.
import type { ChangeState } from '@codelab/api';
import { number } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';

export function LineCounts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null && removed === null) return null;
  return (
    <span className="shrink-0 font-mono text-tiny tabular-nums">
      <span className="text-good">+{number(added ?? 0)}</span>{' '}
      <span className="text-bad">−{number(removed ?? 0)}</span>
    </span>
  );
}

/** A change that holds needs no word. */
export function StateBadge({ state }: { state: ChangeState }) {
  const words = useViewText().changes;
  if (state === 'done') return null;
  return <Badge tone={state === 'undone' ? 'plain' : 'warn'}>{words.state[state]}</Badge>;
}
