// What the gateway has to hear from this client, kept until it has: sent at once, and again when the line stands again.
import { ApiError } from '../api-error.ts';

export type Outbox = {
  /** `send` is called again until it succeeds, is refused, or is not needed any more. */
  post(key: string, send: () => Promise<unknown>): Promise<void>;
  /** The gateway has it. */
  done(key: string): void;
  resend(): Promise<void>;
  readonly size: number;
};

type OutboxOptions = { isKeptUntilDone: boolean; onRefused(key: string, error: ApiError): void };

const maxKept = 1000;

export function createOutbox({ isKeptUntilDone, onRefused }: OutboxOptions): Outbox {
  const kept = new Map<string, () => Promise<unknown>>();

  async function attempt(key: string, send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
      if (!isKeptUntilDone) kept.delete(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Without an answer it stays here for the next time.
      if (error.status === 0 || error.status >= 500 || error.status === 429) return;
      if (kept.delete(key)) onRefused(key, error);
    }
  }

  return {
    get size() {
      return kept.size;
    },
    async post(key, send) {
      kept.set(key, send);
      if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '');
      await attempt(key, send);
    },
    done: (key) => void kept.delete(key),
    async resend() {
      await Promise.all([...kept].map(([key, send]) => attempt(key, send)));
    },
  };
}
