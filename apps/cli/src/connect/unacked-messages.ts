// Keeps the messages for the gateway until it acknowledges them, and sends them again on every new connection.

export type UnackedMessages = {
  send(callId: string, message: object): void;
  acknowledge(callId: string): void;
  has(callId: string): boolean;
  sayAll(): void;
  /** Resolves when every message is acknowledged, or after the timeout. */
  empty(mostMs: number): Promise<void>;
};

/** A message that is dropped here is still in the log, and is sent when the gateway asks again. */
const maxKept = 1000;

export function createUnackedMessages(send: (message: object) => boolean): UnackedMessages {
  const unacked = new Map<string, object>();
  let onEmpty = (): void => undefined;
  return {
    send(callId, message) {
      unacked.set(callId, message);
      if (unacked.size > maxKept) unacked.delete(unacked.keys().next().value ?? '');
      send(message);
    },
    acknowledge(callId) {
      unacked.delete(callId);
      if (unacked.size === 0) onEmpty();
    },
    has: (callId) => unacked.has(callId),
    sayAll() {
      for (const message of unacked.values()) send(message);
    },
    async empty(mostMs) {
      if (unacked.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, mostMs);
      onEmpty = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
