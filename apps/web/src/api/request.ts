// One request to the gateway's neutral API. The cookie, the page's secret and, for a change, a proof show who asks; nothing that may
// have been done is repeated.
import { ApiError } from './api-error.ts';
import { learnEpoch, pageHeaders } from './page-session.ts';
import { signedOut } from './signed-out.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Options = { query?: Record<string, string | number | undefined>; body?: unknown; signal?: AbortSignal };

export async function request<Answer>(method: Method, path: string, options: Options = {}): Promise<Answer> {
  const response = await ask(method, path, options).catch((error: unknown) => {
    // Refused before anything was done: the gateway was started anew, and has said what a proof must name now.
    if (error instanceof ApiError && error.details?.reason === 'PROOF_STALE')
      return ask(method, path, options);
    throw error;
  });
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as Answer;
}

/** What a request of its own saves as a file. */
export async function download(path: string): Promise<void> {
  const response = await ask('GET', path, {});
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function ask(method: Method, path: string, { query = {}, body, signal }: Options): Promise<Response> {
  const url = `/api/v1${path}${spell(query)}`;
  const text = body === undefined ? '' : JSON.stringify(body);
  const response = await send(url, {
    method,
    credentials: 'same-origin',
    headers: {
      ...pageHeaders(method, url, text),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: text }),
    ...(signal && { signal }),
  });
  learnEpoch(response);
  if (!response.ok) throw refusal(response.status, await response.text());
  return response;
}

/** For use inside a path: ids and paths from elsewhere never add a segment. */
export function segment(part: string): string {
  return encodeURIComponent(part);
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError({ code: 'OFFLINE', message: 'The gateway does not answer.', status: 0 });
  }
}

function spell(query: NonNullable<Options['query']>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function refusal(status: number, text: string): ApiError {
  if (status === 401) signedOut();
  try {
    const { error } = JSON.parse(text) as {
      error: { code: string; message: string; details?: Record<string, unknown> };
    };
    return new ApiError({ ...error, status });
  } catch {
    return new ApiError({ code: 'INTERNAL', message: `The gateway answered ${status}.`, status });
  }
}
