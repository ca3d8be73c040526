// The cookie a browser is signed in with. Cookies know no ports, so each gateway of this machine has one of its own name.
import type { IncomingHttpHeaders } from 'node:http';

const plainName = 'codelab_token';
const longestSeconds = 30 * 24 * 3600;
// Browsers take no more than 4096 for all of it.
const maxChars = 3800;

export function readTokenCookie({ host, cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined) return undefined;
  const pairs = new Map(
    cookie.split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
  return decoded(pairs.get(nameFor(host)) || pairs.get(plainName) || '');
}

/** Undefined for a token that is too long for a cookie. */
export function writeTokenCookie(
  { host, origin }: IncomingHttpHeaders,
  token: string,
  until?: number,
): string | undefined {
  const value = encodeURIComponent(token);
  if (value.length > maxChars) return undefined;
  const left = until === undefined ? longestSeconds : Math.floor((until - Date.now()) / 1000);
  return cookieText({ host, origin }, value, Math.max(0, Math.min(longestSeconds, left)));
}

export function dropTokenCookie(headers: IncomingHttpHeaders): string {
  return cookieText(headers, '', 0);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return undefined;
  }
}

function cookieText({ host, origin }: IncomingHttpHeaders, value: string, seconds: number): string {
  const secure = origin?.startsWith('https:') ? '; Secure' : '';
  return `${nameFor(host)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

function nameFor(host = ''): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? plainName : `${plainName}_${port}`;
}
