// One request to the gateway: the token in its header, a time limit, and a retry when that can do no harm.
import {
  type AnswerProblem,
  fillPath,
  parseAnswer,
  type Route,
  type RouteAnswer,
  type RouteParams,
  type SentBody,
  type SentQuery,
} from '@codelab/api';
import { parseJson } from '@codelab/protocol';
import { ApiError, readFailure } from '../api-error.ts';
import { type Backoff, backoffMs, wait } from '../backoff.ts';
import { requestToken, type TokenSource } from '../token-source.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type RequesterOptions = {
  /** Address of the gateway: `http://127.0.0.1:4040`. A page of the gateway itself may leave it out. */
  url?: string | undefined;
  /** A function is called for each request, so it should cache the token. */
  token?: TokenSource | undefined;
  fetch?: Fetch | undefined;
  /** The number of retries. */
  retries?: number | undefined;
  backoff?: Backoff | undefined;
  timeoutMs?: number | undefined;
  /** Ends all requests. */
  signal?: AbortSignal | undefined;
};

type Common = {
  /** The request has the same effect when sent twice: it names its call, or only reads. */
  isRepeatable?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

type RouteQueryAndBody<R extends Route> = Common & { query?: SentQuery<R> } & (R extends {
    isBodyOptional: true;
  }
    ? { body?: SentBody<R> }
    : R extends { body: () => unknown }
      ? { body: SentBody<R> }
      : { body?: undefined });

/** The input of a route: its parameters, its body, and the query. */
type RouteInput<R extends Route> = keyof RouteParams<R> extends never
  ? RouteQueryAndBody<R> & { params?: undefined }
  : RouteQueryAndBody<R> & { params: RouteParams<R> };

type Args<R extends Route> = object extends RouteInput<R> ? [asked?: RouteInput<R>] : [asked: RouteInput<R>];

export type Requester = {
  /** The answer, as the route table defines it. */
  ask<R extends Route>(route: R, ...args: Args<R>): Promise<RouteAnswer<R>>;
  /** An answer that is not JSON. */
  text<R extends Route>(route: R, ...args: Args<R>): Promise<string>;
};

type Plain = Common & {
  params?: Readonly<Record<string, string>> | undefined;
  query?: object | undefined;
  body?: unknown;
};

/** No answer of the gateway is this large or this deep, so a larger one does not come from a gateway. */
const maxAnswer = { bytes: 160 * 1024 * 1024, depth: 200 };

/** Why an answer does not fit its route; undefined when it fits. */
type Check = (route: Route, answer: unknown) => AnswerProblem | undefined;

/** Compares the answer with the schema of its route. */
export const checkAnswer: Check = ({ answer: schema }, value) => {
  if (schema === undefined) return undefined;
  const read = parseAnswer(schema(), value);
  return 'problem' in read ? read.problem : undefined;
};

/** Without a check an answer need only be JSON: for pages, which read their own gateway and load no schemas. */
export function createRequester(options: RequesterOptions, check: Check = () => undefined): Requester {
  const { retries = 3, backoff = { firstMs: 500, mostMs: 8000 } } = options;

  async function send(route: Route, input: Plain = {}): Promise<Answer> {
    const { method } = route;
    const never = new AbortController().signal;
    const ending = AbortSignal.any([options.signal ?? never, input.signal ?? never]);
    const isRepeatable = input.isRepeatable ?? (method === 'GET' || method === 'PUT' || method === 'DELETE');
    const path = `${fillPath(route.path, input.params)}${queryText(input.query ?? {})}`;
    const pass: Pass = {};
    for (let attempt = 0; ; attempt++) {
      const answer = await attemptOnce(options, { method, path, body: input.body, ending, pass });
      if (!(answer instanceof ApiError)) return answer;
      // The gateway refused the token, so nothing was done: with another token the request counts as the first try.
      if (answer.status === 401 && pass.refused === undefined && typeof options.token === 'function') {
        pass.refused = pass.token;
        continue;
      }
      // The first try may have deleted it although its answer was lost.
      if (method === 'DELETE' && attempt > 0 && answer.status === 404) return { status: 204, text: '' };
      if (attempt >= retries || ending.aborted || !mayRepeat(answer, isRepeatable)) throw answer;
      await wait(answer.afterMs ?? backoffMs(backoff, attempt), ending);
    }
  }

  return {
    async ask<R extends Route>(route: R, ...[input]: Args<R>): Promise<RouteAnswer<R>> {
      const answer = await send(route, input);
      const hasAnswer = route.answer !== undefined && answer.status !== 204;
      return (hasAnswer ? read(answer, (value) => check(route, value)) : undefined) as RouteAnswer<R>;
    },
    text: async (route, ...[input]) => (await send(route, input)).text,
  };
}

type Answer = { status: number; text: string };
type Attempt = {
  method: string;
  path: string;
  body: unknown;
  ending: AbortSignal;
  pass: Pass;
};

/** The token of this try, and the one that was refused before. */
type Pass = { token?: string | undefined; refused?: string | undefined };

/** A refusal that may name how long to wait. */
class Refused extends ApiError {
  afterMs: number | undefined;
}

async function attemptOnce(
  {
    url = '',
    token: source,
    fetch: send = (address, init) => fetch(address, init),
    timeoutMs = 60_000,
  }: RequesterOptions,
  { method, path, body, ending, pass }: Attempt,
): Promise<Answer | Refused> {
  const clock = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([ending, clock]);
  try {
    const token = await requestToken(source, { refused: pass.refused, signal });
    pass.token = token;
    const response = await send(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return { status: response.status, text };
    const { status, code, message, details } = readFailure(response.status, jsonOf(text));
    const refused = new Refused({ status, code, message, details });
    refused.afterMs = retryAfterMs(response.headers.get('retry-after'));
    return refused;
  } catch (error) {
    if (ending.aborted)
      return new Refused({ status: 0, code: 'CANCELLED', message: 'The request was cancelled.' });
    if (clock.aborted)
      return new Refused({
        status: 0,
        code: 'TIMEOUT',
        message: `There was no answer within ${timeoutMs} ms.`,
      });
    if (error instanceof ApiError) return new Refused(error);
    if (error instanceof TypeError) return unreachable();
    throw error;
  }
}

/** The error text of a browser or of Node may contain the address. */
function unreachable(): Refused {
  const message = 'The gateway can’t be reached. Is it running, and is this its address?';
  return new Refused({ status: 0, code: 'NETWORK_ERROR', message });
}

/** The gateway did not process a request that it asked to wait. Any other one may have been processed before it failed. */
function mayRepeat({ status, afterMs }: Refused, isRepeatable: boolean): boolean {
  if (status === 429) return afterMs !== undefined;
  return isRepeatable && (status === 0 || status >= 500);
}

const longestPauseMs = 120_000;

function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) || ms > longestPauseMs ? undefined : Math.max(0, ms);
}

function queryText(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function read({ status, text }: Answer, check: (value: unknown) => AnswerProblem | undefined): unknown {
  const value = jsonOf(text);
  const problem = value === undefined ? { field: '' } : check(value);
  if (problem === undefined) return value;
  const { field } = problem;
  const message = `The gateway’s answer can’t be read${field === '' ? '' : `: \`${field}\` does not fit`}.`;
  throw new ApiError({ status, code: 'INVALID_FORMAT', message, details: { field } });
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : parseJson(text, maxAnswer);
  } catch {
    return undefined;
  }
}

// A new id for a call. `crypto.randomUUID` is missing in pages that are loaded over plain HTTP from another machine.

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
