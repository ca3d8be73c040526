// Calls that peers made themselves, carried out here. They go on when the peer is gone; cancelling ends them all.
import type { Outcome, ToolCall } from '@codelab/protocol';
import { type Host, runCall } from '@codelab/runtime';

export type PeerCalls = {
  run(call: ToolCall): Promise<Outcome>;
  isUnderWay(callId: string): boolean;
  /** `except` are the calls that go on. */
  cancel(except?: ReadonlySet<string>): void;
};

export function createPeerCalls(host: Host): PeerCalls {
  const underWay = new Map<string, Set<AbortController>>();
  return {
    async run(call) {
      const stop = new AbortController();
      const same = underWay.get(call.id) ?? new Set();
      underWay.set(call.id, same.add(stop));
      try {
        return await runCall(host, call, stop.signal);
      } finally {
        same.delete(stop);
        if (same.size === 0) underWay.delete(call.id);
      }
    },
    isUnderWay: (callId) => underWay.has(callId),
    cancel(except = new Set()) {
      for (const [id, stops] of underWay) if (!except.has(id)) for (const stop of stops) stop.abort();
    },
  };
}
