// The page's half of its web session: what the sign-in page stored for this origin. The secret goes with every request; the key never
// leaves the page, and proves each change.
import { hmacSha256, sha256 } from './sha256.ts';
import { signedOut } from './signed-out.ts';

type Kept = { secret: string; key: string };

const place = 'codelab.page';
let epoch = '';

/** What shows the gateway that this page asks; `url` and `body` exactly as they are sent. */
export function pageHeaders(method: string, url: string, body: string): Record<string, string> {
  const kept = read();
  if (kept === undefined) return {};
  const own = { 'x-codelab-page': kept.secret };
  return method === 'GET' ? own : { ...own, 'x-codelab-proof': prove(kept.key, method, url, body) };
}

/** A browser's socket can send no headers. */
export function socketProtocols(): string[] {
  const kept = read();
  return kept === undefined ? [] : ['codelab', `codelab.page.${kept.secret}`];
}

/** Each answer says what the next proof must name; it changes when the gateway starts anew. */
export function learnEpoch({ headers }: Response): void {
  epoch = headers.get('x-codelab-epoch') ?? epoch;
}

export async function signOut(): Promise<void> {
  await fetch('/logout', { method: 'POST', headers: pageHeaders('POST', '/logout', '') });
  localStorage.removeItem(place);
  signedOut();
}

function prove(key: string, method: string, url: string, body: string): string {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map(hex).join('');
  const bytes = new TextEncoder();
  const text = [method, url, epoch, nonce, sha256(bytes.encode(body)).map(hex).join('')].join('\n');
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
