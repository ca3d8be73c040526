// The token of a stream: requested again whenever the connection is opened. A refused token is no reason to give up while there may be
// others.
import type { ApiError } from '../api-error.ts';
import { requestToken, type TokenSource } from '../token-source.ts';
import { type ConnectionEnd, connectionLost } from './connection.ts';

export type StreamToken = {
  next(signal: AbortSignal): Promise<string | undefined>;
  /** The meaning of a connection's end when another token may help; `hasStood`: the connection was open before. */
  after(ending: ConnectionEnd, hasStood: boolean): ConnectionEnd;
};

export function createStreamToken(source: TokenSource | undefined): StreamToken {
  let current: string | undefined;
  let refused: string | undefined;
  return {
    async next(signal) {
      current = await requestToken(source, { refused, signal });
      return current;
    },
    after(ending, hasStood) {
      const isFirst = hasStood || refused === undefined;
      refused = undefined;
      if (ending.kind !== 'refused' || typeof source !== 'function' || !isOfToken(ending.error))
        return ending;
      // If a new token is refused immediately, the token was not the reason.
      if (!isFirst) return ending;
      refused = current;
      return { ...connectionLost(ending.error.message), afterMs: 0 };
    },
  };
}

function isOfToken({ status, code }: ApiError): boolean {
  return status === 401 || code === 'TOKEN_EXPIRED';
}
