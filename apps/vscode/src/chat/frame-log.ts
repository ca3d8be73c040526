// The messages of a chat so far, for a view that opens later: its log, and only those transient messages that the log does not cover yet.
import type { NeutralMessage } from '@codelab/protocol';

export type FrameLog = { add(frame: NeutralMessage): void; readonly all: readonly NeutralMessage[] };

const maxSignals = 5000;

export function createFrameLog(): FrameLog {
  const kept: NeutralMessage[] = [];
  let signals: NeutralMessage[] = [];
  return {
    add(frame) {
      if (frame.type !== 'event') {
        signals.push(frame);
        signals.splice(0, signals.length - maxSignals);
        return;
      }
      kept.push(frame);
      const { type } = frame.event.body;
      // The log now has the complete reply.
      if (type === 'model.replied' || type === 'turn.ended')
        signals = signals.filter((one) => one.type !== 'signal');
    },
    get all() {
      return [...kept, ...signals];
    },
  };
}
