// Messages for the gateway, kept until they are confirmed: sent immediately, and again after a reconnect.
import { ApiError } from '../api-error.ts';

export type Outbox = {
  /** `send` is called again until it succeeds, is refused, or is no longer needed. */
  post(key: string, send: () => Promise<unknown>): Promise<void>;
  /** The gateway has the message. */
  done(key: string): void;
  resend(): Promise<void>;
  readonly size: number;
};

type OutboxOptions = { isKeptUntilDone: boolean; onRefused(key: string, error: ApiError): void };

const maxKept = 1000;

export function createOutbox({ isKeptUntilDone, onRefused }: OutboxOptions): Outbox {
  const unsent = new Map<string, () => Promise<unknown>>();

  async function attempt(key: string, send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
      if (!isKeptUntilDone) unsent.delete(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Without an answer the message stays for the next try.
      if (error.status === 0 || error.status >= 500 || error.status === 429) return;
      if (unsent.delete(key)) onRefused(key, error);
    }
  }

  return {
    get size() {
      return unsent.size;
    },
    async post(key, send) {
      unsent.set(key, send);
      if (unsent.size > maxKept) unsent.delete(unsent.keys().next().value ?? '');
      await attempt(key, send);
    },
    done: (key) => void unsent.delete(key),
    async resend() {
      await Promise.all([...unsent].map(([key, send]) => attempt(key, send)));
    },
  };
}
