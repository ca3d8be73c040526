// The gateway on loopback over a real workspace, and a client that uses plain HTTP.
import type { Model } from '@codelab/agent';
import type { Limits, PolicyMode } from '@codelab/protocol';
import { type Auth, createAuth } from '../../apps/server/src/edge/auth/create-auth.ts';
import { createApp } from '../../apps/server/src/http/app.ts';
import { openModelSettings } from '../../apps/server/src/http/settings/model-settings.ts';
import type { ExtraOffer } from '../../apps/server/src/mcp/server/extra-offer.ts';
import { openGateway } from '../../apps/server/src/sessions/open-gateway.ts';
import { type Workbench, workbench } from './workbench.ts';

type Json = Record<string, unknown>;
type Answer = { status: number; headers: Headers; body: Json };

export type HttpBench = AsyncDisposable & {
  url: string;
  token: string;
  bench: Workbench;
  /** Defects that were reported. */
  faults: unknown[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The lines of a stream that stays open. */
  open(
    path: string,
    options?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Lines>;
};

export type Lines = {
  headers: Headers;
  status: number;
  /** Reads on until a line fits. */
  until(matches: (line: string) => boolean): Promise<string>;
  /** All lines up to the end. */
  rest(): Promise<string[]>;
  close(): void;
};

type Options = {
  files?: Record<string, string>;
  mode?: PolicyMode;
  limits?: Partial<Limits>;
  model?: Model;
  env?: NodeJS.ProcessEnv;
  llmRate?: { perMinute: number; burst: number };
  folder?: string;
  /** Replaces the default authentication, which knows the operator's token. */
  auth?: Auth;
  /** Further offers of /mcp besides our own. */
  mcpExtra?: ExtraOffer;
};

const token = 'a-token-for-tests';

export async function httpBench(options: Options = {}): Promise<HttpBench> {
  const {
    model,
    env = { CODELAB_MODEL: 'demo' },
    llmRate,
    mcpExtra,
    auth = createAuth({ token, operator: 'tester' }),
    ...rest
  } = options;
  const bench = await workbench(rest);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const settings = openModelSettings({ home: bench.home, root: bench.root, env });
  const openModel = model === undefined ? settings.open : () => Promise.resolve(model);
  const gateway = openGateway({ host: bench.host, agents: bench.agents, env, onFault, openModel });
  const app = createApp({
    gateway,
    auth,
    onFault,
    env,
    settings,
    checksAnswers: true,
    ...(llmRate && { llmRate }),
    ...(mcpExtra && { mcpExtra }),
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const ownHeaders = { authorization: `Bearer ${token}` };
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return await fetch(url + path, {
      method,
      headers: { ...ownHeaders, ...type, ...headers },
      signal: AbortSignal.timeout(20_000),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  };
  return {
    url,
    token,
    bench,
    faults,
    get: async (path, headers) => await answerOf(await send('GET', path, undefined, headers)),
    post: async (path, body = {}, headers = {}) => await answerOf(await send('POST', path, body, headers)),
    open: async (path, { method = 'GET', body, headers } = {}) =>
      linesOf(await send(method, path, body, headers)),
    async [Symbol.asyncDispose]() {
      await app.close();
      await gateway[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = (isJson ? JSON.parse(text) : { text }) as Json;
  return { status: response.status, headers: response.headers, body };
}

function linesOf(response: Response): Lines {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffered = '';
  async function next(): Promise<string | undefined> {
    for (;;) {
      const end = buffered.indexOf('\n');
      if (end >= 0) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 1);
        return line;
      }
      const read = await reader?.read();
      if (read === undefined || read.done) return undefined;
      buffered += read.value;
    }
  }
  return {
    headers: response.headers,
    status: response.status,
    async until(matches) {
      const seenLines: string[] = [];
      for (let line = await next(); line !== undefined; line = await next()) {
        if (matches(line)) return line;
        seenLines.push(line);
      }
      throw new Error(`The stream ended: ${seenLines.join('\n')}`);
    },
    async rest() {
      const all: string[] = [];
      for (let line = await next(); line !== undefined; line = await next()) if (line !== '') all.push(line);
      return all;
    },
    close: () => void reader?.cancel(),
  };
}
