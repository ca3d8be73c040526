// Links by which one question can be answered once, from another device, without a token. Looking at it decides nothing.
import { hash, randomBytes } from 'node:crypto';
import { approvalRoutes, pathOf } from '@codelab/api';
import { type ApprovalRequest, type Decision, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { approvalPage, approvalPageHeaders, donePage } from '../approval-page.ts';
import { serveRoute } from '../route.ts';

/** The session is stored by name: it may be closed or deleted before the link is used. */
type Link = { session: string; approvalId: string; by: Peer; until: number };

const longestMs = 15 * 60_000;
const maxLinks = 10_000;

export function serveApprovalLinks(app: FastifyInstance, gateway: Gateway): void {
  // The map holds digests, so that reading the memory gives no usable link.
  const links = new Map<string, Link>();

  serveRoute(app, approvalRoutes.link, async ({ params, peer, request }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    const approval = await findPending(session, params.approval);
    const secret = randomBytes(24).toString('base64url');
    const until = Math.min(approval.deadline ?? Number.POSITIVE_INFINITY, Date.now() + longestMs);
    sweep(links);
    links.set(digestOf(secret), { session: session.id, approvalId: approval.id, by: peer, until });
    const url = `${request.protocol}://${request.host}${pathOf(approvalRoutes.showLink, { secret })}`;
    return { url, expires_at: new Date(until).toISOString() };
  });

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    );
    serveRoute(scope, approvalRoutes.showLink, async ({ params, reply }) => {
      const { session: id, approvalId, by } = find(links, params.secret);
      const session = await gateway.session(id, by, { mustExist: true });
      return reply.headers(approvalPageHeaders).send(approvalPage(await findPending(session, approvalId)));
    });
    serveRoute(scope, approvalRoutes.useLink, async ({ params, body, reply }) => {
      const link = find(links, params.secret);
      const decision = decisionOf(body);
      links.delete(digestOf(params.secret));
      try {
        await decideThroughLink(gateway, link, decision);
      } catch (error) {
        // An invalid answer does not use up the link.
        if (error instanceof ToolError && error.code === 'INVALID_ARGUMENTS')
          links.set(digestOf(params.secret), link);
        throw error;
      }
      return reply.headers(approvalPageHeaders).send(donePage(`Decided: ${decision.kind}`));
    });
  });
}

async function decideThroughLink(gateway: Gateway, { by, ...link }: Link, decision: Decision): Promise<void> {
  const session = await gateway.session(link.session, by, { mustExist: true });
  await session.decide({ approvalId: link.approvalId, decision, by: { who: by.subject, via: 'link' } });
}

function find(links: ReadonlyMap<string, Link>, secret: string): Link {
  const link = links.get(digestOf(secret));
  if (link !== undefined && link.until > Date.now()) return link;
  throw new ToolError('APPROVAL_NOT_FOUND', 'This link was already used, or has expired.');
}

async function findPending(session: SharedSession, approvalId: string): Promise<ApprovalRequest> {
  const found = (await session.pending()).find(({ id }) => id === approvalId);
  if (found !== undefined) return found;
  throw new ToolError('APPROVAL_NOT_FOUND', `No approval ${approvalId.slice(0, 100)} is waiting.`);
}

function decisionOf({ decision, action }: Record<string, unknown>): Decision {
  if (decision === 'approve' || decision === 'reject') return { kind: decision };
  if (typeof action === 'string') return { kind: 'answer', action };
  throw new ToolError('INVALID_ARGUMENTS', '`decision` must be approve or reject.', { field: 'decision' });
}

function sweep(links: Map<string, Link>): void {
  for (const [key, { until }] of links) if (until <= Date.now()) links.delete(key);
  if (links.size >= maxLinks)
    throw new ToolError('RATE_LIMITED', 'Too many links are open. Use some, or wait until they expire.');
}

function digestOf(secret: string): string {
  return hash('sha256', secret);
}
