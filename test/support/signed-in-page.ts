// A signed-in page without a browser: its cookie, its secret, and the proofs of its changes.
import { createHmac, hash, randomUUID } from 'node:crypto';
import type { GatewayBench } from './gateway-bench.ts';

export type SignedInPage = {
  /** `name=value`. */
  cookie: string;
  secret: string;
  key: string;
  /** The headers of a change, with a proof that was not used yet. */
  proving(method: string, path: string, body: string): Promise<Record<string, string>>;
  request(method: string, path: string, body: object): Promise<Response>;
};

export async function signIn(bench: GatewayBench, token = 'secret-token'): Promise<SignedInPage> {
  const answer = await fetch(`${bench.running.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: bench.running.url },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(`refused: ${answer.status}`);
  const { secret, key } = (await answer.json()) as { secret: string; key: string };
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page: SignedInPage = {
    cookie,
    secret,
    key,
    async proving(method, path, body) {
      const pageHeaders = { cookie, 'x-codelab-page': secret, origin: bench.running.url };
      const { headers } = await fetch(`${bench.running.url}/api/v1/agents`, { headers: pageHeaders });
      const epoch = headers.get('x-codelab-epoch') ?? '';
      const nonce = randomUUID();
      const text = [method, path, epoch, nonce, hash('sha256', body)].join('\n');
      const mac = createHmac('sha256', key).update(text).digest('hex');
      return { ...pageHeaders, 'x-codelab-proof': `${epoch}.${nonce}.${mac}` };
    },
    async request(method, path, body) {
      const text = JSON.stringify(body);
      return await fetch(bench.running.url + path, {
        method,
        headers: { ...(await page.proving(method, path, text)), 'content-type': 'application/json' },
        body: text,
      });
    },
  };
  return page;
}
