// What the gateway has to hear, kept until it has shown that it did, and said again on every new line.

export type UnackedMessages = {
  say(callId: string, message: object): void;
  done(callId: string): void;
  has(callId: string): boolean;
  sayAll(): void;
  /** Resolves when nothing is kept any more, or after so long. */
  empty(mostMs: number): Promise<void>;
};

/** What is left out here is still remembered in the log, and said when it is asked for again. */
const maxKept = 1000;

export function createUnackedMessages(send: (message: object) => boolean): UnackedMessages {
  const kept = new Map<string, object>();
  let onEmpty = (): void => undefined;
  return {
    say(callId, message) {
      kept.set(callId, message);
      if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '');
      send(message);
    },
    done(callId) {
      kept.delete(callId);
      if (kept.size === 0) onEmpty();
    },
    has: (callId) => kept.has(callId),
    sayAll() {
      for (const message of kept.values()) send(message);
    },
    async empty(mostMs) {
      if (kept.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, mostMs);
      onEmpty = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
