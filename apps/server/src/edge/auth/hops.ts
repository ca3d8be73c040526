// Signed statements of a forwarding gateway about who sent a request, with a key that only the gateways of a log know. The receiving
// gateway need not authenticate the sender again, and could not for a page, whose proof was used at the first gateway.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { lazily, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Peer } from '../peer.ts';

/** Marks a forwarded request. A gateway refuses to forward it again, because the session is moving to another gateway. */
export const hopHeader = 'x-codelab-hop';

/** `body`: none for a socket. */
type HopRequest = { method?: string | undefined; url?: string | undefined; body?: Buffer | undefined };

const Claim = lazily(() =>
  z.strictObject({
    subject: z.string(),
    isOperator: z.optional(z.literal(true)),
    until: z.optional(z.number()),
    /** Digests of the web session of a page, and of the body: a signed statement is good for no other one. */
    page: z.optional(z.string()),
    body: z.string(),
    /** The time of the signature, in milliseconds since 1970. */
    at: z.number(),
  }),
);
type Claim = z.infer<ReturnType<typeof Claim>>;

export type Hops = {
  sign(peer: Peer, request: HopRequest): string;
  /** Undefined when the request was not forwarded by a gateway of this log. */
  read(headers: IncomingHttpHeaders, request: Omit<HopRequest, 'body'>): Claim | undefined;
};

/** Longer than any clocks of one cluster differ. */
const lifeMs = 5 * 60_000;

function createHops(key: string): Hops {
  const macOf = (text: string, { method = '', url = '' }: HopRequest): Buffer =>
    createHmac('sha256', key).update(`codelab hop 1\n${method}\n${url}\n${text}`).digest();
  return {
    sign({ subject, isOperator, until, page }, request) {
      const claim: Claim = {
        subject,
        at: Date.now(),
        body: bodyDigest(request.body),
        ...(isOperator && { isOperator }),
        ...(until !== undefined && Number.isFinite(until) && { until }),
        ...(page && { page: page.id }),
      };
      const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
      return `${text}.${macOf(text, request).toString('base64url')}`;
    },
    read(headers, request) {
      const statement = headers[hopHeader];
      const [text = '', mac = ''] = typeof statement === 'string' ? statement.split('.') : [];
      const [sentMac, expected] = [Buffer.from(mac, 'base64url'), macOf(text, request)];
      if (sentMac.length !== expected.length || !timingSafeEqual(sentMac, expected)) return undefined;
      const claim = Claim().parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
      return Math.abs(Date.now() - claim.at) < lifeMs ? claim : undefined;
    },
  };
}

/** Throws when a request was handed on with another body than the one that was vouched for. */
export function checkHopBody(claim: Claim, body: Buffer | undefined): void {
  if (claim.body !== bodyDigest(body))
    throw new ToolError('UNAUTHORIZED', 'The body is not the one that the other gateway handed on.');
}

function bodyDigest(body: Buffer | undefined): string {
  return hash('sha256', body ?? '', 'base64url');
}

type Store = {
  get(key: string): Promise<{ text: string } | undefined>;
  put(key: string, text: string, revision: number): Promise<number | undefined>;
};

const keyName = 'hop.key';

/** The key of all gateways that share this store; the first one makes it. */
export async function openHops(store: Store): Promise<Hops> {
  const storedKey = await store.get(keyName);
  // Of two gateways that start at the same time, one is refused and reads the key of the other.
  if (storedKey === undefined) await store.put(keyName, randomBytes(32).toString('base64url'), 0);
  const key = (storedKey ?? (await store.get(keyName)))?.text;
  if (key !== undefined) return createHops(key);
  throw new ToolError('IO_ERROR', 'The key that the gateways share was removed. Start the gateway again.');
}
