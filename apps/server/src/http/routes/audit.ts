// The record of a session: proving that it is whole, and taking it along.
import { Readable } from 'node:stream';
import { ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../gateway/gateway.ts';
import { openSqliteLog } from '../../log/sqlite-log.ts';
import type { Damage } from '../../log/verify-log.ts';
import { createRateLimit } from '../rate-limit.ts';

type ById = { Params: { id: string } };

const base = '/api/v1/sessions/:id/audit';
const pageOf = 200;
// The whole file is read for it, and nobody can write meanwhile.
const proofs = { perSecond: 0.2, burst: 5 };

export function auditRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;
  const limit = createRateLimit(proofs);

  const verifying = { summary: 'Proves every entry of a session’s record, or names the first broken one' };
  app.get<ById>(`${base}/verify`, { config: { about: verifying } }, async ({ peer, params }) => {
    // A damaged log may not open any more, but whose it is can be read.
    const session = await gateway.session(params.id, peer, { mustExist: true });
    if (!limit.take(peer.subject))
      throw new ToolError('RATE_LIMITED', 'The record was proven a moment ago. Try again in a minute.', {
        retry_after: 60,
      });
    return verify(host, session.id);
  });

  const exporting = {
    summary: 'Every entry of a session as a line of JSON',
    streams: ['application/x-ndjson'],
  };
  app.get<ById>(`${base}/export`, { config: { about: exporting } }, async ({ peer, params }, reply) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    return await reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="codelab-${id}.ndjson"`)
      .send(Readable.from(lines(host, id)));
  });
}

/** By a connection of its own, as `codelab audit verify` does. */
async function verify({ home, log }: Host, session: string): Promise<object> {
  const own = openSqliteLog(home);
  let damage: Damage | undefined;
  try {
    damage = own.verify(session);
  } finally {
    await own.close();
  }
  const known = (await log.sessions()).find(({ id }) => id === session);
  const entries = known?.head.seq ?? 0;
  if (damage === undefined) return { ok: true, entries };
  const { seq, problem } = damage;
  // What is broken elsewhere is broken for all; where it is, is nobody else's matter.
  const broken = damage.session === session ? { seq, why: problem } : { seq: 0, why: outside(damage) };
  return { ok: false, entries, broken };
}

function outside({ session, problem }: Damage): string {
  return session === '' ? problem : 'The log is damaged outside of this session.';
}

async function* lines({ log }: Host, session: string): AsyncGenerator<string> {
  for (let since = 0; ; ) {
    const page = await log.read(session, { since, limit: pageOf });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map((event) => `${JSON.stringify(event)}\n`).join('');
    since = last.seq;
  }
}
