// One request to the gateway's neutral API. The cookie proves who asks; nothing is repeated here.
import { ApiError } from './api-error.ts';
import { signedOut } from './signed-out.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Options = { query?: Record<string, string | number | undefined>; body?: unknown; signal?: AbortSignal };

export async function request<Answer>(method: Method, path: string, options: Options = {}): Promise<Answer> {
  const { query = {}, body, signal } = options;
  const response = await send(`/api/v1${path}${spell(query)}`, {
    method,
    credentials: 'same-origin',
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, text);
  return (text === '' ? {} : JSON.parse(text)) as Answer;
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
