// How far a stream was heard: where to go on after a break, and what comes again then though it was heard before.
import { isRedelivered } from '@codelab/dialects';
import type { ReceivedFrame } from './connection.ts';

export type StreamPosition = {
  /** Undefined: from now on, with what waits for a decision. */
  readonly since: number | undefined;
  /** False for what was told before the line broke. */
  takes(told: ReceivedFrame): boolean;
  /** `heldMs`: how long the line that has ended was open. */
  broke(heldMs: number): void;
  /** Where the log ended when the first line was opened. */
  begin(seq: number): void;
};

/** A line that broke at once may not have told yet what waits, so that the next one begins anew. */
const settledMs = 2000;
const maxRemembered = 1000;

export function createPosition(given: number | undefined): StreamPosition {
  let last = given;
  let base: number | undefined;
  let unnumbered = new Set<string>();
  let before = new Set<string>();
  return {
    get since() {
      return last;
    },
    takes({ frame, seq }) {
      if (seq !== undefined) {
        if (last !== undefined && seq <= last) return false;
        last = seq;
        unnumbered.clear();
        before.clear();
        return true;
      }
      if (!isReplayed(frame)) return true;
      const text = JSON.stringify(frame);
      if (before.delete(text)) return false;
      if (unnumbered.size < maxRemembered) unnumbered.add(text);
      return true;
    },
    broke(heldMs) {
      before = new Set([...before, ...unnumbered]);
      unnumbered = new Set();
      if (last === undefined && heldMs >= settledMs) last = base;
    },
    begin(seq) {
      base ??= seq;
    },
  };
}

function isReplayed({ type, ...frame }: ReceivedFrame['frame']): boolean {
  return type === 'tool.result_ack' || isRedelivered({ type, ...frame });
}
