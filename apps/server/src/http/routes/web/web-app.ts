// The web IDE: signing in, its page, and its files. The files hold no secrets and need no token.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RouteBody, webRoutes } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Auth, readPageProof } from '../../../edge/auth/create-auth.ts';
import { dropSessionCookie, readSessionCookies, writeSessionCookie } from '../../../edge/auth/page-proof.ts';
import type { WebSessions } from '../../../edge/auth/web-sessions.ts';
import { createRateLimit, type RateLimit, type RateShares } from '../../../edge/rate-limit.ts';
import type { Peer } from '../../../sessions/gateway.ts';
import { serveRoute } from '../../route.ts';
import { openBuiltFiles } from '../../web/built-files.ts';
import { diagramPage } from '../../web/diagram-page.ts';
import { pageHeaders } from '../../web/page-headers.ts';
import { notBuiltPage, reloadPage, signInPage } from '../../web/plain-page.ts';
import { signInScript } from '../../web/sign-in-script.ts';

export type WebAppOptions = {
  auth: Auth;
  sessions: WebSessions;
  /** The folder of the built web IDE. */
  folder: string;
  /** The person whom a sign-in link signs in. */
  operator: string;
  rates?: RateShares | undefined;
};

// Wrong tokens at the sign-in of one address; after these even the right one waits.
const guesses = { perSecond: 0.1, burst: 10 };
// The names of these files change with their content.
const forGood = 'public, max-age=31536000, immutable';
const forAnHour = 'public, max-age=3600';
// Files that browsers request at the root besides the page itself.
const rootFiles = ['/manifest.webmanifest', '/icon-192.png', '/icon-512.png', '/icon-maskable.png'];
// A cached worker would continue with the protocol of an older page.
const worker = '/sw.js';

type Door = WebAppOptions & { wrong: RateLimit };

export function serveWebApp(app: FastifyInstance, options: WebAppOptions): void {
  const signInOptions: Door = { ...options, wrong: createRateLimit(guesses, options.rates?.of('sign-ins')) };
  void app.register(async (scope) => {
    servePages(scope, signInOptions);
    serveSigning(scope, signInOptions);
    serveFiles(scope, options.folder);
  });
}

function servePages(scope: FastifyInstance, { sessions, folder }: Door): void {
  serveRoute(scope, webRoutes.page, async ({ request: { headers, query }, reply }) => {
    const { code, token } = query as Record<string, unknown>;
    // The page removes the code from the address and signs in with it; requesting the address does not use it up.
    if (code !== undefined || token !== undefined) return sendPage(reply, 200, signInPage());
    for (const id of readSessionCookies(headers)) if (await sessions.has(id)) return sendIndex(reply, folder);
    const isFromElsewhere = headers['sec-fetch-site'] === 'cross-site';
    return isFromElsewhere ? sendPage(reply, 200, reloadPage()) : sendPage(reply, 401, signInPage());
  });
  serveRoute(scope, webRoutes.signInPage, ({ reply }) => sendPage(reply, 200, signInPage()));
  serveRoute(scope, webRoutes.diagramPage, ({ reply }) => sendPage(reply, 200, diagramPage()));
  serveRoute(scope, webRoutes.signInScript, ({ reply }) =>
    withHeaders(reply).type('text/javascript; charset=utf-8').send(signInScript),
  );
}

function serveSigning(scope: FastifyInstance, options: Door): void {
  serveRoute(scope, webRoutes.signIn, async ({ request, body, reply }) => {
    const peer = await prove(options, request, body);
    const { id, secret, key, until } = await options.sessions.open(peer);
    void reply.header('set-cookie', writeSessionCookie(request.headers, id, until));
    return { user: peer.subject, secret, key };
  });
  serveRoute(scope, webRoutes.signOut, async ({ request: { headers, url, ip }, reply }) => {
    const page = readPageProof({ headers, url, address: ip, takesQueryToken: false });
    if (page !== undefined) await options.sessions.end(page);
    void reply.header('set-cookie', dropSessionCookie(headers));
    return undefined;
  });
}

type SignInProof = RouteBody<typeof webRoutes.signIn>;

async function prove(
  { auth, sessions, operator, wrong }: Door,
  { headers, ip }: FastifyRequest,
  proof: SignInProof,
): Promise<Peer> {
  if (!wrong.has(ip)) throw tooMany();
  try {
    if ('code' in proof) {
      if (await sessions.useCode(proof.code)) return { subject: operator, via: 'http', isOperator: true };
      throw new ToolError(
        'UNAUTHORIZED',
        'This link was already used, or has expired. `codelab sign-in` makes a new one.',
        { reason: 'CODE_INVALID' },
      );
    }
    const proofHeaders = { host: headers.host, authorization: `Bearer ${proof.token}` };
    const peer = await auth.admit(
      { headers: proofHeaders, url: '/', address: ip, takesQueryToken: false },
      'http',
    );
    // A link could sign a person in as its maker, who would see everything they do from then on.
    if (proof.link && !peer.isOperator)
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

// Read for each request: the file is small and may have been rebuilt.
async function sendIndex(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (html === undefined) return sendPage(reply, 503, notBuiltPage());
  const nonce = randomBytes(16).toString('base64url');
  return reply.headers(pageHeaders(nonce)).send(html.replaceAll('__CSP_NONCE__', nonce));
}

function serveFiles(scope: FastifyInstance, folder: string): void {
  const find = openBuiltFiles(folder);
  const send = async (name: string, { headers }: FastifyRequest, reply: FastifyReply, cache: string) => {
    const file = await find(name, headers['accept-encoding']?.toString());
    if (file === undefined) return reply.callNotFound();
    return withHeaders(reply).headers(file.headers).header('cache-control', cache).send(file.contents);
  };
  const config = { isOpen: true };
  scope.get<{ Params: { '*': string } }>('/assets/*', { config }, (request, reply) =>
    send(`assets/${request.params['*']}`, request, reply, forGood),
  );
  for (const path of rootFiles)
    scope.get(path, { config }, (request, reply) => send(path.slice(1), request, reply, forAnHour));
  scope.get(worker, { config }, (request, reply) => send(worker.slice(1), request, reply, 'no-cache'));
}

function withHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  });
}

function tooMany(): ToolError {
  return new ToolError('RATE_LIMITED', 'Too many wrong tokens. Try again in a minute.', { retry_after: 60 });
}
