// Whether a change stands; what stands needs no word.
import type { ChangeState } from '@codelab/api';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';

export function StateBadge({ state }: { state: ChangeState }) {
  const words = useText().changes;
  if (state === 'done') return null;
  return <Badge tone={state === 'undone' ? 'plain' : 'warn'}>{words.state[state]}</Badge>;
}
