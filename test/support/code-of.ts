// The end of a call in one word.
import type { Outcome } from '@codelab/protocol';

export function codeOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'no outcome';
  return outcome.status === 'completed' ? 'completed' : outcome.error.code;
}
