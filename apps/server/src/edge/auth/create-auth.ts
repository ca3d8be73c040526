// The gateway's door: from where a request comes and who sends it, before anything else is looked at.
import { hash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { ToolError } from '@codelab/protocol';
import type { Peer } from '../../sessions/gateway.ts';
import { createRateLimit } from '../rate-limit.ts';
import { checkOrigin, type OriginRules } from './check-origin.ts';
import { type Asking, readPage, readToken } from './read-credentials.ts';
import { refuseToolPeer } from './tool-peer.ts';
import { createJwtCheck, type JwtOptions } from './verify-jwt.ts';
import type { WebSessions } from './web-sessions.ts';

export type Auth = {
  /** Refuses foreign names and pages: for everything, also what needs no token. */
  checkOrigin(headers: Asking['headers']): void;
  /** Who asks; throws UNAUTHORIZED, PERMISSION_DENIED or RATE_LIMITED. */
  admit(asking: Asking, via: string): Promise<Peer>;
  /** Refuses programs that a tool started: for everything that changes something. */
  checkProcess?(connection: Socket): Promise<void>;
};

export type AuthOptions = Partial<OriginRules> & {
  /** Who holds this is the operator. */
  token?: string;
  /** How the record names the operator. */
  operator: string;
  jwt?: JwtOptions;
  /** Browsers that are signed in. */
  web?: WebSessions;
  /** The state folder, where other processes of ours say that they start tools. */
  home?: string;
  limits?: Partial<AuthLimits>;
};

type AuthLimits = { requestsPerSecond: number; requestBurst: number };

// Wrong tokens of one address; right ones are not counted here.
const guesses = { perSecond: 0.5, burst: 30 };

export function createAuth(options: AuthOptions): Auth {
  const { token, operator, hosts = [], origins = [], web, home } = options;
  const expected = token === undefined ? undefined : digestOf(token);
  const checkJwt = options.jwt && createJwtCheck(options.jwt);
  const wrong = createRateLimit(guesses);
  const { requestsPerSecond = 200, requestBurst = 4000 } = options.limits ?? {};
  const right = createRateLimit({ perSecond: requestsPerSecond, burst: requestBurst });

  async function prove(asking: Asking, via: string): Promise<Peer> {
    const given = readToken(asking);
    if (given !== undefined) return await proveToken(given, via);
    const page = readPage(asking);
    if (page === undefined)
      throw unauthorized('A token is needed: `Authorization: Bearer …` or `X-API-Key: …`.');
    const found = web?.find(page);
    if (found === undefined) throw unauthorized('You are signed out. Open `/sign-in` to sign in again.');
    return { ...found, via };
  }

  async function proveToken(given: string, via: string): Promise<Peer> {
    // Digests have one length, so that the comparison tells nothing of the token's.
    if (expected !== undefined && timingSafeEqual(digestOf(given), expected))
      return { subject: operator, via, isOperator: true };
    if (checkJwt === undefined) throw unauthorized('The token is not the one of this gateway.');
    return { ...(await checkJwt(given)), via };
  }

  return {
    checkOrigin: ({ host, origin }) =>
      checkOrigin({ host, origin }, { hosts: web === undefined ? hosts : [...hosts, web.hostName], origins }),
    checkProcess: (connection) => refuseToolPeer(connection, home),
    async admit(asking, via) {
      const { address } = asking;
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

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function unauthorized(message: string): ToolError {
  return new ToolError('UNAUTHORIZED', message, { reason: 'TOKEN_INVALID' });
}

function tooMany(): ToolError {
  return new ToolError('RATE_LIMITED', 'Too many requests. Try again in a minute.', { retry_after: 60 });
}
