// For tests: every response must match the API table. A mismatch becomes a defect, which fails the test that received it.
import { ErrorAnswer, mcpRoutes, type Route } from '@codelab/api';
import type { FastifyInstance } from 'fastify';

export function checkAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, url, routeOptions }, reply, payload) => {
    const spec = routeOptions.config?.route;
    if (spec === undefined || method === 'HEAD') return payload;
    const { statusCode: status } = reply;
    const fault = faultOf(spec, { status, type: String(reply.getHeader('content-type') ?? ''), payload });
    if (fault !== undefined)
      throw new Error(`${method} ${url}: the answer with ${status} is not that of ${spec.id}: ${fault}`);
    return payload;
  });
}

type Sent = { status: number; type: string; payload: unknown };

function faultOf(spec: Route, { status, type, payload }: Sent): string | undefined {
  const isGood = status >= 200 && status < 300;
  if (isGood && status !== (spec.status ?? 200) && spec.path !== mcpRoutes.send.path)
    return 'another status was promised';
  if (payload === null || payload === undefined || payload === '') return undefined;
  if (!type.startsWith('application/json'))
    return spec.media?.some((media) => type.startsWith(media)) ? undefined : `${type} was not promised`;
  const schema = spec.others?.[status] ?? (isGood ? spec.answer : (spec.errors ?? ErrorAnswer));
  if (schema === undefined) return 'no JSON was promised';
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined;
  const read = schema().safeParse(JSON.parse(String(payload)));
  if (read.success) return undefined;
  return read.error.issues.map(describe).join('; ');
}

function describe({ path, code, keys }: { path: PropertyKey[]; code: string; keys?: string[] }): string {
  const place = path.length === 0 ? '' : `${path.join('.')}: `;
  return `${place}${code}${keys === undefined ? '' : ` (${keys.join(', ')})`}`;
}
