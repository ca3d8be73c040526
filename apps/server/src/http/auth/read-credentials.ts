// The secret a request carries: a bearer, an API key, the cookie of a signed-in browser, or, where a browser can send no headers, the
// `token` of its address.
import type { IncomingHttpHeaders } from 'node:http';
import { readTokenCookie } from './token-cookie.ts';

export type Asking = {
  headers: IncomingHttpHeaders;
  /** Path and query, as they were sent. */
  url: string;
  address: string;
  /** Sockets and event streams: a browser opens them by address alone. */
  takesQueryToken: boolean;
  /** Changes nothing: GET and HEAD, but no socket. */
  isSafe?: boolean;
};

export function readCredentials(asking: Asking): string | undefined {
  const { headers, url, takesQueryToken } = asking;
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return (takesQueryToken ? queryToken(url) : undefined) ?? ownCookie(asking);
}

// A browser sends the cookie by itself, also for pages of other origins on this host: it counts only for what our own page asks for.
function ownCookie({ headers, isSafe }: Asking): string | undefined {
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return undefined;
  const isOurs = origin === `http://${host}` || origin === `https://${host}`;
  if (origin === undefined ? isSafe !== true : !isOurs) return undefined;
  return readTokenCookie(headers);
}

function queryToken(url: string): string | undefined {
  const query = url.indexOf('?');
  if (query === -1) return undefined;
  const given = new URLSearchParams(url.slice(query + 1));
  return given.get('token') || given.get('api_key') || undefined;
}
