// The page's half of its web session: the values that the sign-in page stored for this origin. The secret goes with every request; the key
// never leaves the page, and proves each change.
import { pathOf, readRefusal, webRoutes } from '@codelab/api';
import { hmacSha256, sha256Bytes } from './sha256.ts';

type Kept = { secret: string; key: string };

const place = 'codelab.page';
let epoch = '';

/** A request as this page makes it: the cookie, the page's secret and, for a change, a proof show who asks. */
export async function pageFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await send(url, init);
  if (response.status === 401) signedOut();
  if (response.ok || !(await isStale(response.clone()))) return response;
  // Refused before anything was done: the gateway was started anew, and has said what a proof must name now.
  return await send(url, init);
}

/** A browser's socket can send no headers, so the secret goes as a sub-protocol. */
export function openPageSocket(url: string): WebSocket {
  const keys = read();
  return new WebSocket(url, keys === undefined ? [] : ['codelab', `codelab.page.${keys.secret}`]);
}

export async function signOut(): Promise<void> {
  await send(pathOf(webRoutes.signOut), { method: webRoutes.signOut.method });
  localStorage.removeItem(place);
  signedOut();
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    // State that is saved as the page closes must still arrive; browsers allow `keepalive` for 64 kB.
    keepalive: init.method === 'PATCH' && String(init.body ?? '').length < 20_000,
    credentials: 'same-origin',
    headers: { ...(init.headers as Record<string, string>), ...proofOf(url, init) },
  });
  // Each answer says what the next proof must name; it changes when the gateway starts anew.
  epoch = response.headers.get('x-codelab-epoch') ?? epoch;
  return response;
}

async function isStale(response: Response): Promise<boolean> {
  return readRefusal(await response.json().catch(() => undefined))?.details?.reason === 'PROOF_STALE';
}

/** Names the address and the body exactly as they are sent. */
function proofOf(url: string, { method = 'GET', body }: RequestInit): Record<string, string> {
  const keys = read();
  if (keys === undefined) return {};
  const page = { 'x-codelab-page': keys.secret };
  if (method === 'GET') return page;
  const { pathname, search } = new URL(url, location.href);
  return { ...page, 'x-codelab-proof': prove(keys.key, method, `${pathname}${search}`, String(body ?? '')) };
}

function prove(key: string, method: string, url: string, body: string): string {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map(hex).join('');
  const bytes = new TextEncoder();
  const text = [method, url, epoch, nonce, sha256Bytes(bytes.encode(body)).map(hex).join('')].join('\n');
  return `${epoch}.${nonce}.${hmacSha256(bytes.encode(key), bytes.encode(text)).map(hex).join('')}`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function read(): Kept | undefined {
  try {
    const { secret, key } = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Kept>;
    return secret === undefined || key === undefined ? undefined : { secret, key };
  } catch {
    return undefined;
  }
}

// Told when the gateway no longer knows who asks, so that the page can offer to sign in again.
const listeners = new Set<() => void>();

function signedOut(): void {
  for (const listener of listeners) listener();
}

/** Returns how to stop listening. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
