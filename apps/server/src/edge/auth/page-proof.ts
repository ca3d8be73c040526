// Proves that the signed-in page made a request, and made it once: a MAC over the whole request, with a key that the page has had since the
// sign-in and never sends.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ToolError } from '@codelab/protocol';

export const proofHeader = 'x-codelab-proof';
/** Each answer to a page carries the epoch that its next proof must name. */
export const epochHeader = 'x-codelab-epoch';

type Proven = {
  method: string;
  /** Path and query, exactly as sent. */
  url: string;
  body: Uint8Array;
  /** `epoch.nonce.mac`, as the header has it. */
  proof: string | undefined;
};

/** `ids` are all that the browser sent under our name; only one of them can be ours. */
export type PageHalves = { ids: readonly string[]; secret: string };

export type Proofs = { readonly epoch: string; check(request: Proven): void | Promise<void> };

// Used nonces are stored; when there are too many, a new epoch invalidates all of them.
const maxNonces = 10_000;

export function createProofs(key: string): Proofs {
  const used = new Set<string>();
  let epoch = newEpoch();
  return {
    get epoch() {
      return epoch;
    },
    check(request) {
      const nonce = checkMac(key, request, { epoch, epochs: [epoch] });
      if (used.has(nonce)) throw refused('PROOF_REPLAYED');
      used.add(nonce);
      if (used.size < maxNonces) return;
      used.clear();
      epoch = newEpoch();
    },
  };
}

/** The duration of an epoch that several gateways share; the adjacent ones count as well, since clocks differ. */
const epochMs = 30 * 60_000;

/** The same proofs at every gateway: `once` says whether no gateway has seen a nonce before. */
export function createSharedProofs(key: string, once: (nonce: string) => Promise<boolean>): Proofs {
  const epochAt = (steps: number): string =>
    createHmac('sha256', key)
      .update(`epoch ${Math.floor(Date.now() / epochMs) + steps}`)
      .digest('base64url')
      .slice(0, 16);
  return {
    get epoch() {
      return epochAt(0);
    },
    async check(request) {
      const epochs = [epochAt(0), epochAt(-1), epochAt(1)];
      const nonce = checkMac(key, request, { epoch: epochAt(0), epochs });
      if (!(await once(nonce))) throw refused('PROOF_REPLAYED');
    },
  };
}

/** Returns the nonce, which must not have been used. */
function checkMac(
  key: string,
  { method, url, body, proof }: Proven,
  { epoch, epochs }: { epoch: string; epochs: readonly string[] },
): string {
  const [sentEpoch = '', nonce = '', mac = ''] = (proof ?? '').split('.');
  // The epoch is no secret: without the key it proves nothing.
  if (!epochs.includes(sentEpoch) || !/^[\w-]{16,64}$/.test(nonce)) throw refused('PROOF_STALE', { epoch });
  const text = [method, url, sentEpoch, nonce, hash('sha256', body)].join('\n');
  const expected = createHmac('sha256', key).update(text).digest();
  const sentMac = Buffer.from(mac, 'hex');
  if (sentMac.length !== expected.length || !timingSafeEqual(sentMac, expected))
    throw refused('PROOF_INVALID');
  return nonce;
}

function newEpoch(): string {
  return randomBytes(12).toString('base64url');
}

function refused(reason: string, details: { epoch?: string } = {}): ToolError {
  const message = `This request lacks the proof that the signed-in page made it (\`${proofHeader}\`). Reload the page and try again.`;
  return new ToolError('PERMISSION_DENIED', message, { reason, ...details });
}

// The cookie of a signed-in browser: the name of its web session, which is useless without the page's secret. Browsers send a cookie to every port of
// a host, so each gateway uses another cookie name.
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

// Without `Domain`, so that a browser sends the cookie only to this host name.
function cookieText({ host, origin }: IncomingHttpHeaders, value: string, seconds: number): string {
  const secure = origin?.startsWith('https:') ? '; Secure' : '';
  return `${nameFor(host)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}

function nameFor(host = ''): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? plainName : `${plainName}_${port}`;
}
