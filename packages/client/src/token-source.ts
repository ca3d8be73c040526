// The token of a gateway: a text, or somebody who is asked for it whenever it is needed, since tokens run out.
import { ApiError } from './api-error.ts';

/** `refused` is the token that the gateway did not take any more: another one is wanted. */
export type TokenRequest = { refused: string | undefined; signal: AbortSignal };

export type TokenSource = string | ((wanted: TokenRequest) => string | Promise<string>);

/** Rejects when there is none to be had, and when the signal aborts. */
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
    // What went wrong there may speak of tokens, so it is not made part of the message.
    throw new ApiError({ status: 0, code: 'UNAUTHORIZED', message: 'There is no token to be had.' });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

// With anything else in it no header could be sent, and the complaint about that would show it.
function checked(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new TypeError('A token has no spaces and no line ends.');
}
