// Tells the streams of a session immediately that a client's result was received; its effect arrives through the log.

export type Receipts = {
  received(session: string, toolId: string): void;
  subscribe(session: string, listener: (toolId: string) => void): Disposable;
};

export function createReceipts(): Receipts {
  const listeners = new Map<string, Set<(toolId: string) => void>>();
  return {
    received(session, toolId) {
      for (const notify of listeners.get(session) ?? []) notify(toolId);
    },
    subscribe(session, listener) {
      const sessionListeners = listeners.get(session) ?? new Set();
      listeners.set(session, sessionListeners.add(listener));
      return {
        [Symbol.dispose]() {
          sessionListeners.delete(listener);
          if (sessionListeners.size === 0 && listeners.get(session) === sessionListeners)
            listeners.delete(session);
        },
      };
    },
  };
}
