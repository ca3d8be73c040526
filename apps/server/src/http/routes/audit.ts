// The record of a session: verifying that it is complete, and exporting it.
import { Readable } from 'node:stream';
import { auditRoutes, type SessionProof } from '@codelab/api';
import { type Damage, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { goneSignal } from '../../edge/gone-signal.ts';
import { createRateLimit } from '../../edge/rate-limit.ts';
import { logPages } from '../../log/entries.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import { serveRoute } from '../route.ts';

// Verifying reads the whole log file, so it is rate-limited.
const proofs = { perSecond: 0.2, burst: 5 };

export function serveAudit(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;
  const limit = createRateLimit(proofs);
  let proving: Promise<unknown> = Promise.resolve();

  serveRoute(app, auditRoutes.verify, async ({ peer, params, reply }) => {
    // A damaged log may not open any more, but its owner can still be read.
    const session = await gateway.session(params.id, peer, { mustExist: true });
    if (!limit.take(peer.subject))
      throw new ToolError('RATE_LIMITED', 'The record was proven a moment ago. Try again in a minute.', {
        retry_after: 60,
      });
    const stopSignal = AbortSignal.any([goneSignal(reply), host.closing]);
    // One verification at a time, because each reads the whole file.
    const turn = proving.then(() => verify(host, session.id, stopSignal));
    proving = turn.catch(() => undefined);
    return await turn;
  });

  serveRoute(app, auditRoutes.export, async ({ peer, params, reply }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    return await reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="codelab-${id}.ndjson"`)
      .send(Readable.from(lines(host, id)));
  });
}

async function verify({ log }: Host, session: string, signal: AbortSignal): Promise<SessionProof> {
  const damage = await log.prove(session, signal).catch((error: unknown) => {
    throw signal.aborted
      ? new ToolError('CANCELLED', 'The client disconnected before the proof was complete.')
      : error;
  });
  const summary = (await log.sessions()).find(({ id }) => id === session);
  const entries = summary?.head.seq ?? 0;
  if (damage === undefined) return { ok: true, entries };
  const { seq, problem } = damage;
  // Damage in another session makes the log invalid for everybody, but only that session's reader learns where.
  const broken = damage.session === session ? { seq, why: problem } : { seq: 0, why: outside(damage) };
  return { ok: false, entries, broken };
}

function outside({ session, problem }: Damage): string {
  return session === '' ? problem : 'The log is damaged outside of this session.';
}

async function* lines({ log }: Host, session: string): AsyncGenerator<string> {
  for await (const page of logPages(log, session))
    yield page.map((event) => `${JSON.stringify(event)}\n`).join('');
}
