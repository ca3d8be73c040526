// The secret a request carries: a bearer, an API key, or, where a browser can send no headers, the `token` of its address.
import type { IncomingHttpHeaders } from 'node:http';

export type Asking = {
  headers: IncomingHttpHeaders;
  /** Path and query, as they were sent. */
  url: string;
  address: string;
  /** Sockets and event streams: a browser opens them by address alone. */
  takesQueryToken: boolean;
};

export function readCredentials({ headers, url, takesQueryToken }: Asking): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return takesQueryToken ? (queryToken(url) ?? undefined) : undefined;
}

function queryToken(url: string): string | undefined {
  const query = url.indexOf('?');
  if (query === -1) return undefined;
  const given = new URLSearchParams(url.slice(query + 1));
  return given.get('token') || given.get('api_key') || undefined;
}
