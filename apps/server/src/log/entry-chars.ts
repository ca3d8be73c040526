// How long the entries written by this process are, long texts included: whoever has to know need not look through them once more.
import type { SessionEvent } from '@codelab/protocol';

const known = new WeakMap<SessionEvent, number>();

export function noteChars(event: SessionEvent, chars: number): void {
  known.set(event, chars);
}

/** Undefined for an entry that was read. */
export function charsOf(event: SessionEvent): number | undefined {
  return known.get(event);
}
