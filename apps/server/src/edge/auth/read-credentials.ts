// What a request proves itself with: a token as bearer or API key, or, where a browser can send no headers, as the `token` of its
// address; or the two halves of a web session, its cookie and the secret that the page keeps.
import type { IncomingHttpHeaders } from 'node:http';
import { readSessionCookies } from './session-cookie.ts';

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

/** `ids` are all that the browser sent under our name; only one of them can be ours. */
export type PageHalves = { ids: readonly string[]; secret: string };

const pageHeader = 'x-codelab-page';
/** A browser's socket has no headers of its own: there the secret is one of the protocols that it offers, after these letters. */
export const secretProtocol = 'codelab.page.';

export function readToken({ headers, url, takesQueryToken }: Asking): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return takesQueryToken ? queryToken(url) : undefined;
}

// A browser sends the cookie by itself, also for pages of other origins on this host: it counts only for what our own page asks for.
export function readPage({ headers, isSafe }: Asking): PageHalves | undefined {
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return undefined;
  const isOurs = origin === `http://${host}` || origin === `https://${host}`;
  if (origin === undefined ? isSafe !== true : !isOurs) return undefined;
  const ids = readSessionCookies(headers);
  const secret = readSecret(headers);
  return ids.length === 0 || secret === undefined ? undefined : { ids, secret };
}

function readSecret(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[pageHeader];
  if (typeof given === 'string' && given !== '') return given;
  const offered = headers['sec-websocket-protocol']?.split(',').map((one) => one.trim()) ?? [];
  return offered.find((one) => one.startsWith(secretProtocol))?.slice(secretProtocol.length) || undefined;
}

function queryToken(url: string): string | undefined {
  const query = url.indexOf('?');
  if (query === -1) return undefined;
  const given = new URLSearchParams(url.slice(query + 1));
  return given.get('token') || given.get('api_key') || undefined;
}
