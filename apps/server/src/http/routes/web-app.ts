// The web IDE: signing in, its page, and its files. The files hold no secrets, so whoever asks gets them.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Auth } from '../../edge/auth/create-auth.ts';
import { readPage } from '../../edge/auth/read-credentials.ts';
import { dropSessionCookie, readSessionCookies, writeSessionCookie } from '../../edge/auth/session-cookie.ts';
import type { WebSessions } from '../../edge/auth/web-sessions.ts';
import { createRateLimit, type RateLimit } from '../../edge/rate-limit.ts';
import { readInput } from '../../edge/read-input.ts';
import type { Peer } from '../../sessions/gateway.ts';
import { pageHeaders } from '../web/page-headers.ts';
import { knockAgainPage, notBuiltPage, signInPage } from '../web/plain-page.ts';
import { signInScript } from '../web/sign-in-script.ts';

export type WebAppOptions = {
  auth: Auth;
  sessions: WebSessions;
  /** Where the built web IDE is. */
  folder: string;
  /** Who a sign-in link signs in. */
  operator: string;
};

// Wrong tokens at the sign-in of one address; after these even the right one waits.
const guesses = { perSecond: 0.1, burst: 10 };
const yearMs = 365 * 24 * 3600 * 1000;
// What a browser asks for at the root besides the page itself.
const rootFiles = ['/favicon.ico', '/favicon.svg', '/manifest.webmanifest'];

const Given = () => {
  const secret = z.string().check(z.minLength(1), z.maxLength(8000));
  return z.union([
    z.strictObject({ code: secret }),
    /** `link`: it stood in an address, which somebody else may have made. */
    z.strictObject({ token: secret, link: z._default(z.boolean(), false) }),
  ]);
};

type Door = WebAppOptions & { wrong: RateLimit };

export function webAppRoutes(app: FastifyInstance, options: WebAppOptions): void {
  const door: Door = { ...options, wrong: createRateLimit(guesses) };
  void app.register(async (scope) => {
    pageRoutes(scope, door);
    signingRoutes(scope, door);
    await fileRoutes(scope, options.folder);
  });
}

function pageRoutes(scope: FastifyInstance, { sessions, folder }: Door): void {
  const config = { isOpen: true };
  scope.get(
    '/',
    { config: { ...config, about: { summary: 'The web IDE' } } },
    ({ headers, query }, reply) => {
      const { code, token } = query as Record<string, unknown>;
      // The page takes it out of the address and signs in with it; looking at the address uses nothing up.
      if (code !== undefined || token !== undefined) return sendPage(reply, 200, signInPage());
      if (readSessionCookies(headers).some(sessions.has)) return sendIndex(reply, folder);
      const isFromElsewhere = headers['sec-fetch-site'] === 'cross-site';
      return isFromElsewhere ? sendPage(reply, 200, knockAgainPage()) : sendPage(reply, 401, signInPage());
    },
  );
  scope.get('/sign-in', { config }, (_request, reply) => sendPage(reply, 200, signInPage()));
  scope.get('/sign-in.js', { config }, (_request, reply) =>
    named(reply).type('text/javascript; charset=utf-8').send(signInScript),
  );
}

function signingRoutes(scope: FastifyInstance, door: Door): void {
  const login = {
    summary: 'Signs a browser in: sets the cookie, and answers once with the secrets that the page keeps',
    body: Given,
  };
  scope.post('/login', { config: { isOpen: true, about: login } }, async (request, reply) => {
    const peer = await prove(door, request);
    const { id, secret, key, until } = door.sessions.open(peer);
    void reply.header('set-cookie', writeSessionCookie(request.headers, id, until));
    return { user: peer.subject, secret, key };
  });
  const logout = { summary: 'Signs a browser out: its session ends, and all that it has open' };
  scope.post('/logout', { config: { isOpen: true, about: logout } }, async ({ headers, url, ip }, reply) => {
    const page = readPage({ headers, url, address: ip, takesQueryToken: false });
    if (page !== undefined) door.sessions.end(page);
    return reply.header('set-cookie', dropSessionCookie(headers)).code(204).send();
  });
}

async function prove({ auth, sessions, operator, wrong }: Door, request: FastifyRequest): Promise<Peer> {
  const { headers, ip, body } = request;
  const given = readInput(Given(), body);
  if (!wrong.has(ip)) throw tooMany();
  try {
    if ('code' in given) {
      if (sessions.useCode(given.code)) return { subject: operator, via: 'http', isOperator: true };
      throw new ToolError(
        'UNAUTHORIZED',
        'This link was used before, or is too old. `codelab sign-in` makes a new one.',
        { reason: 'CODE_INVALID' },
      );
    }
    const sent = { host: headers.host, authorization: `Bearer ${given.token}` };
    const peer = await auth.admit({ headers: sent, url: '/', address: ip, takesQueryToken: false }, 'http');
    // A link could sign somebody in as the one who made it, and let them see what is said from then on.
    if (given.link && !peer.isOperator)
      throw new ToolError('UNAUTHORIZED', 'Paste your token here: a link signs only the operator in.');
    return peer;
  } catch (error) {
    wrong.take(ip);
    throw error;
  }
}

type Page = ReturnType<typeof signInPage>;

function sendPage(reply: FastifyReply, status: number, { headers, html }: Page): FastifyReply {
  return reply.code(status).headers(headers).send(html);
}

// Read at each time: it is small, and may have been built anew.
async function sendIndex(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (html === undefined) return sendPage(reply, 503, notBuiltPage());
  const nonce = randomBytes(16).toString('base64url');
  return reply.headers(pageHeaders(nonce)).send(html.replaceAll('__CSP_NONCE__', nonce));
}

async function fileRoutes(scope: FastifyInstance, folder: string): Promise<void> {
  await scope.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    suppressWarning: true,
    dotfiles: 'ignore',
  });
  const config = { isOpen: true };
  scope.get<{ Params: { '*': string } }>('/assets/*', { config }, ({ params }, reply) =>
    // Their names change with what is in them.
    named(reply).sendFile(`assets/${params['*']}`, { maxAge: yearMs, immutable: true }),
  );
  for (const path of rootFiles)
    scope.get(path, { config }, (_request, reply) =>
      named(reply).sendFile(path.slice(1), { maxAge: 3_600_000 }),
    );
}

function named(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  });
}

function tooMany(): ToolError {
  return new ToolError('RATE_LIMITED', 'Too many wrong tokens. Try again in a minute.', { retry_after: 60 });
}
