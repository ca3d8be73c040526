// Calls that peers made themselves, carried out here. They go on when the peer is gone; cancelling ends them all.
import { type Actor, cancellation, type Outcome, type ToolCall } from '@codelab/protocol';
import { type Host, runCall, runConsented } from '@codelab/runtime';

export type PeerCalls = {
  /** `consent`: this person makes the call themselves, and is asked nothing. */
  run(
    call: ToolCall,
    options?: { consent?: Actor | undefined; signal?: AbortSignal | undefined },
  ): Promise<Outcome>;
  isUnderWay(callId: string): boolean;
  readonly count: number;
  /** `except` are the calls that go on. Resolves when the others have ended, or take too long about it. */
  cancel(options?: { except?: ReadonlySet<string>; by?: Actor }): Promise<void>;
};

type UnderWay = { stop: AbortController; ended: Promise<unknown> };

const patienceMs = 3000;

export function createPeerCalls(host: Host): PeerCalls {
  const underWay = new Map<string, Set<UnderWay>>();
  return {
    async run(call, { consent, signal } = {}) {
      const stop = new AbortController();
      const takeBack = (): void => stop.abort();
      if (signal?.aborted) takeBack();
      signal?.addEventListener('abort', takeBack, { once: true });
      const ended =
        consent === undefined
          ? runCall(host, call, stop.signal)
          : runConsented(host, call, consent, stop.signal);
      const own = { stop, ended };
      const same = underWay.get(call.id) ?? new Set();
      underWay.set(call.id, same.add(own));
      try {
        return await ended;
      } finally {
        signal?.removeEventListener('abort', takeBack);
        same.delete(own);
        if (same.size === 0) underWay.delete(call.id);
      }
    },
    isUnderWay: (callId) => underWay.has(callId),
    get count() {
      return underWay.size;
    },
    async cancel({ except, by } = {}) {
      const all = [...underWay].flatMap(([id, calls]) => (except?.has(id) ? [] : [...calls]));
      if (all.length === 0) return;
      for (const { stop } of all) stop.abort(by && cancellation(by));
      const { promise: tooLong, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs).unref();
      await Promise.race([Promise.allSettled(all.map(({ ended }) => ended)), tooLong]);
      clearTimeout(timer);
    },
  };
}
