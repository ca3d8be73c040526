// The cookie of a signed-in browser: the name of its web session, which opens nothing without the page's secret. Browsers send a
// cookie to every port of a host, so each gateway has one of its own name.
import type { IncomingHttpHeaders } from 'node:http';

const plainName = 'codelab_session';

/** A server on another port of this name can add some for a longer path, which come first: that must not keep ours from being seen. */
export function readSessionCookies({ host, cookie }: IncomingHttpHeaders): string[] {
  const name = nameFor(host);
  return (cookie?.split(';') ?? []).flatMap((pair) => {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).trim();
    return pair.slice(0, at).trim() === name && value !== '' ? [value] : [];
  });
}

export function writeSessionCookie(headers: IncomingHttpHeaders, id: string, until: number): string {
  return cookieText(headers, id, Math.max(0, Math.floor((until - Date.now()) / 1000)));
}

export function dropSessionCookie(headers: IncomingHttpHeaders): string {
  return cookieText(headers, '', 0);
}

// Without `Domain`, so that a browser sends it to this very name only.
function cookieText({ host, origin }: IncomingHttpHeaders, value: string, seconds: number): string {
  const secure = origin?.startsWith('https:') ? '; Secure' : '';
  return `${nameFor(host)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

function nameFor(host = ''): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? plainName : `${plainName}_${port}`;
}
