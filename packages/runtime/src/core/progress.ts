// How far running calls are, told to whoever watches a session now. Only the outcome goes to the log.
import type { ToolCall } from '@codelab/protocol';

type Listener = (call: ToolCall, progress: Record<string, unknown>) => void;

export type Progress = {
  tell(call: ToolCall, progress: Record<string, unknown>): void;
  /** Returns how to stop watching. */
  watch(session: string, listener: Listener): () => void;
};

export function createProgress(): Progress {
  const watched = new Map<string, Set<Listener>>();
  return {
    tell(call, progress) {
      for (const listener of watched.get(call.session) ?? []) listener(call, progress);
    },
    watch(session, listener) {
      const listeners = watched.get(session) ?? new Set();
      watched.set(session, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) watched.delete(session);
      };
    },
  };
}
