// The position in a stream: where to continue after a break, and which repeated messages to drop.
import { isRedelivered } from '@codelab/dialects';
import type { ReceivedFrame } from './connection.ts';

export type StreamPosition = {
  /** Undefined: from now on, with pending approvals. */
  readonly since: number | undefined;
  /** False for a message that was received before the connection broke. */
  takes(frame: ReceivedFrame): boolean;
  /** `heldMs`: how long the ended connection was open. */
  broke(heldMs: number): void;
  /** The end of the log when the first connection was opened. */
  begin(seq: number): void;
};

/** A connection that broke early may not have sent the pending approvals, so the next one starts over. */
const settledMs = 2000;
const maxRemembered = 1000;

export function createPosition(start: number | undefined): StreamPosition {
  let last = start;
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
