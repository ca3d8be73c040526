// The web IDE: signing in by a cookie, its page, and its files. The files hold no secrets, so whoever asks gets them.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Peer } from '../../gateway/gateway.ts';
import type { Auth } from '../auth/create-auth.ts';
import { dropTokenCookie, writeTokenCookie } from '../auth/token-cookie.ts';
import { createRateLimit, type RateLimit } from '../rate-limit.ts';
import { readInput } from '../read-input.ts';
import { pageHeaders } from '../web/page-headers.ts';
import { knockAgainPage, notBuiltPage, signInPage } from '../web/plain-page.ts';

export type WebAppOptions = {
  auth: Auth;
  /** Where the built web IDE is. */
  folder: string;
};

// Wrong tokens at the sign-in of one address; after these even the right one waits.
const guesses = { perSecond: 0.1, burst: 10 };
const yearMs = 365 * 24 * 3600 * 1000;
// What a browser asks for at the root besides the page itself.
const rootFiles = ['/favicon.ico', '/favicon.svg', '/manifest.webmanifest'];

const Given = () => z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(8000)) });

type Door = { auth: Auth; wrong: RateLimit };

export function webAppRoutes(app: FastifyInstance, { auth, folder }: WebAppOptions): void {
  const door: Door = { auth, wrong: createRateLimit(guesses) };
  const config = { isOpen: true };
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    );
    scope.get('/', { config: { ...config, about: { summary: 'The web IDE' } } }, (request, reply) =>
      openPage(request, reply, door, folder),
    );
    signingRoutes(scope, door);
    await fileRoutes(scope, folder);
  });
}

function signingRoutes(scope: FastifyInstance, door: Door): void {
  const login = { summary: 'Signs a browser in: sets the cookie', body: Given };
  scope.post('/login', { config: { isOpen: true, about: login } }, async (request, reply) => {
    const { token } = readInput(Given(), request.body);
    const isForm = request.headers['content-type']?.includes('urlencoded') ?? false;
    try {
      const peer = await signIn(door, request, reply, token);
      return isForm ? reply.redirect('/', 303) : { user: peer.subject };
    } catch (error) {
      if (!isForm || !(error instanceof ToolError)) throw error;
      const { headers, html } = signInPage(error.message);
      return reply
        .code(error.code === 'RATE_LIMITED' ? 429 : 401)
        .headers(headers)
        .send(html);
    }
  });
  const logout = { summary: 'Signs a browser out: drops the cookie' };
  scope.post('/logout', { config: { isOpen: true, about: logout } }, async ({ headers }, reply) =>
    reply.header('set-cookie', dropTokenCookie(headers)).code(204).send(),
  );
}

async function openPage(
  request: FastifyRequest,
  reply: FastifyReply,
  door: Door,
  folder: string,
): Promise<FastifyReply> {
  const { token, ...rest } = request.query as Record<string, string | string[]>;
  try {
    if (typeof token === 'string') {
      await signIn(door, request, reply, token, { mustBeOperator: true });
      // The token leaves the address, so that it stays in no history and is shown on no screen.
      const kept = new URLSearchParams(rest);
      return await reply.redirect(kept.size === 0 ? '/' : `/?${kept}`, 302);
    }
    await admitPage(door.auth, request);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site' && token === undefined;
    const hasTried = error.code === 'RATE_LIMITED' || token !== undefined;
    const page = isFromElsewhere ? knockAgainPage() : signInPage(hasTried ? error.message : undefined);
    return reply
      .code(isFromElsewhere ? 200 : 401)
      .headers(page.headers)
      .send(page.html);
  }
  return await sendIndex(reply, folder);
}

// The page itself tells nothing, so it does not matter which page led here.
async function admitPage(auth: Auth, { headers, url, ip }: FastifyRequest): Promise<Peer> {
  const { 'sec-fetch-site': _site, ...rest } = headers;
  return await auth.admit({ headers: rest, url, address: ip, takesQueryToken: false, isSafe: true }, 'http');
}

async function signIn(
  { auth, wrong }: Door,
  { headers, ip }: FastifyRequest,
  reply: FastifyReply,
  token: string,
  { mustBeOperator = false } = {},
): Promise<Peer> {
  if (!wrong.has(ip)) throw tooMany();
  try {
    const sent = { host: headers.host, authorization: `Bearer ${token}` };
    const peer = await auth.admit({ headers: sent, url: '/', address: ip, takesQueryToken: false }, 'http');
    // A link could sign somebody in as the one who made it, and let them see what is said from then on.
    if (mustBeOperator && !peer.isOperator)
      throw new ToolError('UNAUTHORIZED', 'Paste your token here: a link signs only the operator in.');
    const cookie = writeTokenCookie(headers, token, peer.until);
    if (cookie === undefined)
      throw new ToolError(
        'INVALID_ARGUMENTS',
        'This token is too long for a cookie. Send it as `Authorization: Bearer …` instead.',
        {
          field: 'token',
        },
      );
    reply.header('set-cookie', cookie);
    return peer;
  } catch (error) {
    wrong.take(ip);
    throw error;
  }
}

// Read at each time: it is small, and may have been built anew.
async function sendIndex(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (html === undefined) {
    const page = notBuiltPage();
    return reply.code(503).headers(page.headers).send(page.html);
  }
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
