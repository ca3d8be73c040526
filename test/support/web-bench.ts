// The gateway over HTTP for several people, each identified by a token, and their own calls in their own sessions.
import type { Outcome, PolicyMode } from '@codelab/protocol';
import { runConsented } from '@codelab/runtime';
import type { Auth } from '../../apps/server/src/edge/auth/create-auth.ts';
import { type HttpBench, httpBench } from './http-bench.ts';

type Json = Record<string, unknown>;
type Said = { status: number; body: Json };

export type WebBench = AsyncDisposable & {
  http: HttpBench;
  root: string;
  /** As `ann` by default; `operator` has the gateway's token. */
  ask(method: string, path: string, body?: unknown, who?: string): Promise<Said>;
  newSession(who?: string): Promise<string>;
  /** A call in a session that a human agreed to. */
  call(session: string, tool: string, args: Json, options?: { id?: string; turn?: number }): Promise<Outcome>;
};

const byName: Auth = {
  checkOrigin: () => undefined,
  admit({ headers }, via) {
    const subject = String(headers.authorization).replace('Bearer ', '');
    return Promise.resolve({ subject, via, ...(subject === 'operator' && { isOperator: true as const }) });
  },
};

export async function webBench(
  options: { files?: Record<string, string>; mode?: PolicyMode } = {},
): Promise<WebBench> {
  const http = await httpBench({ ...options, auth: byName });
  const { bench } = http;
  let calls = 0;
  const ask: WebBench['ask'] = async (method, path, body, who = 'ann') => {
    const response = await fetch(`${http.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${who}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(20_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('/json') ?? false;
    return { status: response.status, body: (isJson ? JSON.parse(text) : { text }) as Json };
  };
  return {
    http,
    root: bench.root,
    ask,
    async newSession(who) {
      const { body } = await ask('POST', '/sessions', {}, who);
      return String(body.id);
    },
    call(session, tool, args, { id = `c${++calls}`, ...options } = {}) {
      const call = { id, session, tool, args, dialect: 'codelab' as const, ...options };
      return runConsented(bench.host, call, { who: 'tester', via: 'test' });
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
