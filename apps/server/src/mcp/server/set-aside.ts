// Calls that wait for a decision while their client, which can't ask, was answered already. The client's next call with the same tool and
// arguments joins the one that waits, so that nothing is asked or run twice.
import type { Outcome } from '@codelab/protocol';
import type { LiveCall } from './live-call.ts';

export type SetAside = {
  /** The id of the call that was set aside under this key. */
  find(key: string): string | undefined;
  keep(key: string, call: LiveCall): void;
  /** Its outcome was delivered: the next call is a new one. */
  forget(key: string): void;
  /** Nobody will come back for them. */
  cancelAll(): void;
};

const most = 256;
// An outcome that nobody fetched for this long is not taken for that of a new call.
const keptMs = 10 * 60_000;

export function createSetAside(): SetAside {
  const kept = new Map<string, LiveCall>();

  function forget(key: string, call: LiveCall): void {
    if (kept.get(key) === call) kept.delete(key);
  }
  function ended(key: string, call: LiveCall, outcome: Outcome): void {
    // Nothing happened, so that the next call asks anew.
    if (outcome.status === 'expired' || outcome.status === 'cancelled') forget(key, call);
    else setTimeout(() => forget(key, call), keptMs).unref();
  }
  return {
    find: (key) => kept.get(key)?.id,
    keep(key, call) {
      if (kept.get(key)?.id === call.id) return;
      kept.set(key, call);
      if (kept.size > most) kept.delete(kept.keys().next().value ?? key);
      call.outcome.then(
        (outcome) => ended(key, call, outcome),
        () => forget(key, call),
      );
    },
    forget: (key) => void kept.delete(key),
    cancelAll() {
      for (const call of kept.values()) call.cancel();
      kept.clear();
    },
  };
}
