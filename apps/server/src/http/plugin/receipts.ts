// Tells the streams of a session at once that a client's result was taken; what became of it comes from the log.

export type Receipts = {
  received(session: string, toolId: string): void;
  subscribe(session: string, listener: (toolId: string) => void): Disposable;
};

export function createReceipts(): Receipts {
  const listeners = new Map<string, Set<(toolId: string) => void>>();
  return {
    received(session, toolId) {
      for (const tell of listeners.get(session) ?? []) tell(toolId);
    },
    subscribe(session, listener) {
      const here = listeners.get(session) ?? new Set();
      listeners.set(session, here.add(listener));
      return {
        [Symbol.dispose]() {
          here.delete(listener);
          if (here.size === 0 && listeners.get(session) === here) listeners.delete(session);
        },
      };
    },
  };
}
