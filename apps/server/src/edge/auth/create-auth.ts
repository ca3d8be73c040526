// Authentication of the gateway: where a request comes from and who sends it, before anything else of it is read.
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ToolError } from '@codelab/protocol';
import type { Peer } from '../peer.ts';
import { createRateLimit, type RateShares } from '../rate-limit.ts';
import { checkHopBody, type Hops, hopHeader } from './hops.ts';
import { type PageHalves, readSessionCookies } from './page-proof.ts';
import { refuseToolPeer } from './tool-peer.ts';
import { createJwtCheck, type JwtOptions } from './verify-jwt.ts';
import type { WebSessions } from './web-sessions.ts';

export type Auth = {
  /** Refuses foreign names and pages: for everything, also what needs no token. */
  checkOrigin(headers: Asking['headers']): void;
  /** Returns the sender; throws UNAUTHORIZED, PERMISSION_DENIED or RATE_LIMITED. */
  admit(asking: Asking, via: string): Promise<Peer>;
  /** A statement for another gateway about the sender of a request that is forwarded to it. */
  vouch?(peer: Peer, request: Parameters<Hops['sign']>[1]): string;
  /** Refuses programs that a tool started: for everything that changes something. */
  checkProcess?(connection: Socket): Promise<void>;
};

type AuthOptions = Partial<OriginRules> & {
  /** The token of the operator. */
  token?: string;
  /** The operator's name in the record. */
  operator: string;
  jwt?: JwtOptions;
  /** Browsers that are signed in. */
  web?: WebSessions;
  /** The state folder, where other processes of ours record that they start tools. */
  home?: string;
  limits?: Partial<AuthLimits>;
  /** Verifies who sent a request that another gateway forwards. */
  hops?: Hops | undefined;
  /** Counts with other gateways. */
  rates?: RateShares | undefined;
};

type AuthLimits = { requestsPerSecond: number; requestBurst: number };

// Wrong tokens of one address; right ones are not counted here.
const guesses = { perSecond: 0.5, burst: 30 };

export function createAuth(options: AuthOptions): Auth {
  const { token, operator, hosts = [], origins = [], web, home } = options;
  const expected = token === undefined ? undefined : digestOf(token);
  const checkJwt = options.jwt && createJwtCheck(options.jwt);
  const wrong = createRateLimit(guesses, options.rates?.of('guesses'));
  const { requestsPerSecond = 200, requestBurst = 4000 } = options.limits ?? {};
  const rate = { perSecond: requestsPerSecond, burst: requestBurst };
  const right = createRateLimit(rate, options.rates?.of('requests'));

  async function prove(asking: Asking, via: string): Promise<Peer> {
    const givenToken = readToken(asking);
    if (givenToken !== undefined) return await proveToken(givenToken, via);
    const page = readPageProof(asking);
    if (page === undefined)
      throw unauthorized('A token is needed: `Authorization: Bearer …` or `X-API-Key: …`.');
    const session = await web?.find(page);
    if (session === undefined) throw unauthorized(signedOut);
    return { ...session, via };
  }

  async function proveToken(token: string, via: string): Promise<Peer> {
    // Digests have one length, so that the comparison tells nothing of the token's.
    if (expected !== undefined && timingSafeEqual(digestOf(token), expected))
      return { subject: operator, via, isOperator: true };
    if (checkJwt === undefined) throw unauthorized('The token is not the one of this gateway.');
    return { ...(await checkJwt(token)), via };
  }

  return {
    vouch: (peer, request) => options.hops?.sign(peer, request) ?? '-',
    checkOrigin: ({ host, origin }) =>
      checkOrigin({ host, origin }, { hosts: web === undefined ? hosts : [...hosts, web.hostName], origins }),
    checkProcess: (connection) => refuseToolPeer(connection, home),
    async admit(asking, via) {
      const { address } = asking;
      const forwardedPeer = await handedOn(asking, via, options);
      if (forwardedPeer !== undefined) return forwardedPeer;
      try {
        const peer = await prove(asking, via);
        if (!right.take(JSON.stringify([peer.subject, address]))) throw tooMany();
        return peer;
      } catch (error) {
        if (!(error instanceof ToolError && error.code === 'UNAUTHORIZED')) throw error;
        throw wrong.take(address) ? error : tooMany();
      }
    },
  };
}

/** The other gateway has authenticated the request; what remains is whether its page was signed out meanwhile. */
async function handedOn(
  { headers, method, url }: Asking,
  via: string,
  { hops, web }: Pick<AuthOptions, 'hops' | 'web'>,
): Promise<Peer | undefined> {
  const claim = headers[hopHeader] === undefined ? undefined : hops?.read(headers, { method, url });
  if (claim === undefined) return undefined;
  const { subject, isOperator, until } = claim;
  const checkBody = (body: Buffer | undefined): void => checkHopBody(claim, body);
  if (claim.page === undefined)
    return {
      subject,
      via,
      checkBody,
      ...(isOperator && { isOperator }),
      ...(until !== undefined && { until }),
    };
  const session = await web?.named(claim.page);
  if (session === undefined) throw unauthorized(signedOut);
  const { id, ended, proofs } = session.page;
  const page = { id, ended, proofs: { epoch: proofs.epoch, check: () => undefined } };
  return { ...session, via, checkBody, page };
}

const signedOut = 'You are signed out. Open `/sign-in` to sign in again.';

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function unauthorized(message: string): ToolError {
  return new ToolError('UNAUTHORIZED', message, { reason: 'TOKEN_INVALID' });
}

function tooMany(): ToolError {
  return new ToolError('RATE_LIMITED', 'Too many requests. Try again in a minute.', { retry_after: 60 });
}

// The credentials of a request: a token as bearer or API key, or, where a browser can send no headers, as the `token` of its address; or the two
// halves of a web session, its cookie and the secret that the page holds.
type Asking = {
  headers: IncomingHttpHeaders;
  method?: string | undefined;
  /** Path and query, exactly as sent. */
  url: string;
  address: string;
  /** Sockets and event streams: a browser opens them by address alone. */
  takesQueryToken: boolean;
  /** Changes nothing: GET and HEAD, but no socket. */
  isSafe?: boolean;
};

const pageHeader = 'x-codelab-page';
/** A browser's socket has no custom headers: the secret is one of its offered protocols, after this prefix. */
export const secretProtocol = 'codelab.page.';

function readToken({ headers, url, takesQueryToken }: Asking): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return takesQueryToken ? queryToken(url) : undefined;
}

// A browser sends the cookie automatically, also for pages of other origins on this host: it counts only for requests of our own page.
export function readPageProof({ headers, isSafe }: Asking): PageHalves | undefined {
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
  const secret = headers[pageHeader];
  if (typeof secret === 'string' && secret !== '') return secret;
  const offered = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim()) ?? [];
  return (
    offered.find((protocol) => protocol.startsWith(secretProtocol))?.slice(secretProtocol.length) || undefined
  );
}

function queryToken(url: string): string | undefined {
  const query = url.indexOf('?');
  if (query === -1) return undefined;
  const params = new URLSearchParams(url.slice(query + 1));
  return params.get('token') || params.get('api_key') || undefined;
}

/** Blocks requests that a browser was tricked into: from a name bound to this address (DNS rebinding), and from pages of other origins. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

type OriginRules = {
  /** Names besides those of the loopback that this gateway is reached by. */
  hosts: readonly string[];
  /** Origins of other pages that may use the gateway. */
  origins: readonly string[];
};

/** A program that is not a browser sends no origin and needs none: its token counts. */
function checkOrigin(
  { host, origin }: { host?: string | undefined; origin?: string | undefined },
  { hosts, origins }: OriginRules,
): void {
  const name = nameOf(host);
  if (name === undefined || ![...loopback, ...hosts].includes(name))
    throw refused(`This gateway does not answer to the name ${JSON.stringify(host ?? '')}.`, 'host');
  if (origin === undefined || origins.includes(origin)) return;
  if (origin !== `http://${host}` && origin !== `https://${host}`)
    throw refused(`Pages of ${JSON.stringify(origin.slice(0, 200))} may not use this gateway.`, 'origin');
}

function nameOf(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase();
}

function refused(message: string, reason: string): ToolError {
  return new ToolError('PERMISSION_DENIED', message, { reason });
}

// Refuses a request with two host names.

/** A proxy in between could use the other of the two names. */
export function checkOneHost({ rawHeaders, url = '/' }: IncomingMessage): void {
  // `*` is only for OPTIONS; an absolute address has a host of its own, which nothing has checked.
  if (!url.startsWith('/') && url !== '*')
    throw new ToolError('INVALID_FORMAT', 'The request names a host in its address. Send the path alone.');
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count++;
  if (count > 1) throw new ToolError('INVALID_FORMAT', 'There is more than one `Host`. Send one.');
}
