// The token of a gateway: a text, or a function that is called whenever a token is needed, because tokens expire.
import { ApiError } from './api-error.ts';

/** `refused` is the token that the gateway no longer accepts: another one is needed. */
export type TokenRequest = { refused: string | undefined; signal: AbortSignal };

export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** Rejects when there is no token, and when the signal aborts. */
export async function requestToken(
  source: TokenSource | undefined,
  { refused, signal }: TokenRequest,
): Promise<string | undefined> {
  if (typeof source !== 'function') return source;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return checked(await Promise.race([source({ refused, signal }), stopped]));
  } catch {
    signal.throwIfAborted();
    // The error may contain a token, so it is not part of the message.
    throw new ApiError({ status: 0, code: 'UNAUTHORIZED', message: 'No token is available.' });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

// A header with any other character could not be sent, and the error about it would show the token.
function checked(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new TypeError('A token can’t contain spaces or line breaks.');
}
