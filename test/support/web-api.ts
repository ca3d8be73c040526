// The neutral web API of a running gateway, as tests ask it.
import type { Auth } from '../../apps/server/src/edge/auth/create-auth.ts';
import type { GatewayBench } from './gateway-bench.ts';

export type Json = Record<string, unknown>;

/** Status and body of an answer below /api/v1. */
export async function json(
  bench: GatewayBench,
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<[number, Json]> {
  const bodyField = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await bench.request(`/api/v1${path}`, { method, ...bodyField });
  const text = await answer.text();
  return [answer.status, text === '' ? {} : (JSON.parse(text) as Json)];
}

/** The id of a new session. */
export async function createSession(bench: GatewayBench): Promise<string> {
  const [, { id }] = await json(bench, '/sessions', 'POST', {});
  return String(id);
}

/** Entries of the log, once one of them fits. */
export async function logUntil(
  bench: GatewayBench,
  id: string,
  matches: (body: Json) => boolean,
): Promise<Json[]> {
  const answer = await bench.request(`/api/v1/sessions/${id}/events?since=0`, {
    signal: AbortSignal.timeout(10_000),
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const bodies = [...text.matchAll(/^id: \d+\nevent: \S+\ndata: (.*)\n\n/gm)].map(
      ([, data = '']) => (JSON.parse(data) as { body: Json }).body,
    );
    if (bodies.some(matches)) return bodies;
  }
  throw new Error('The stream ended.');
}

/** The token is the user name; no user is the operator. */
export const byName: Auth = {
  checkOrigin: () => undefined,
  admit: ({ headers }, via) =>
    Promise.resolve({ subject: String(headers.authorization).replace('Bearer ', ''), via }),
};
