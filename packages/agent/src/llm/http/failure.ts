// Turns failed connections, error answers and errors inside a stream into messages with a next step.
import type { IncomingHttpHeaders } from 'node:http';
import { visible } from '@codelab/protocol';
import { ModelFailure } from '../model-failure.ts';
import { overflowOf } from './overflow.ts';

/** The names that a failure's message may use. */
export type Origin = {
  model: string;
  url: URL;
  /** The variables that hold the address and the key. */
  urlFrom: string;
  keyFrom: string;
  /** Removed from every message, whoever wrote it. */
  secrets: readonly string[];
};

const maxMessageChars = 1000;

/** Without user, password and query: any of them may be a secret. */
function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** `code` is Node's: `ECONNREFUSED`. */
export function failedConnection(code: string, origin: Origin): ModelFailure {
  const place = shownUrl(origin.url);
  if (code === 'ECONNREFUSED')
    return trouble(`Nothing is listening at ${place}. Start the server or correct ${origin.urlFrom}.`, true);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return trouble(
      `The host of ${place} is not known. Check the network and ${origin.urlFrom}.`,
      code === 'EAI_AGAIN',
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code))
    return trouble(
      `The connection to ${place} could not be secured (${code}). Check ${origin.urlFrom}, or add its certificate with NODE_EXTRA_CA_CERTS.`,
      false,
    );
  return trouble(`The connection to ${place} failed (${code}).`, true);
}

export function failedAnswer(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  origin: Origin,
): ModelFailure {
  const answer = readError(body);
  const waitMs = retryWait(headers, Date.now()) ?? waitIn(answer.message);
  const { mayPass, reason, next, limit } = judge(status, answer, origin);
  const quotation = answer.message === '' ? '' : `: ${clean(answer.message, origin)}`;
  const message =
    `${origin.model} answered ${status}${quotation}${/[.!?]$/.test(quotation) ? '' : '.'} ${next}`.trim();
  return new ModelFailure(message, {
    status,
    mayPass: mayPass && headers['x-should-retry'] !== 'false',
    ...(waitMs !== undefined && { waitMs }),
    ...(reason !== undefined && { reason }),
    ...(limit !== undefined && { limit }),
    names: `${answer.code} ${answer.param}`,
  });
}

/** An error event in an answer that had begun with status 200. */
export function failedStream(error: unknown, origin: Origin): ModelFailure {
  const answer = readError(JSON.stringify({ error }));
  const status = Number(answer.code);
  if (status >= 400 && status < 600) return failedAnswer(status, {}, JSON.stringify({ error }), origin);
  const kind = `${answer.type} ${answer.code}`;
  const mayPass = /overloaded|rate_limit|api_error|server_error|timeout|unavailable/i.test(kind);
  const overflow = overflowOf(answer);
  const reason = overflow === undefined ? {} : { reason: 'context_length', ...overflow };
  const text = clean(answer.message || answer.type || 'no reason given', origin);
  const waitMs = waitIn(answer.message);
  return new ModelFailure(`${origin.model} broke off its reply: ${text}`, {
    mayPass,
    ...(waitMs !== undefined && { waitMs }),
    ...reason,
  });
}

export function webPage({ url, urlFrom }: Origin): ModelFailure {
  const message = `${shownUrl(url)} answered with a web page. Check ${urlFrom}: it often ends in /v1.`;
  return new ModelFailure(message, { mayPass: false });
}

type ProviderError = { message: string; type: string; code: string; param: string };

type Judged = { mayPass: boolean; next: string; reason?: string; limit?: number };

function judge(status: number, answer: ProviderError, origin: Origin): Judged {
  const place = shownUrl(origin.url);
  const overflow = status === 413 ? (overflowOf(answer) ?? {}) : overflowOf(answer);
  if (overflow !== undefined)
    return {
      mayPass: false,
      next: 'Make the conversation shorter.',
      reason: 'context_length',
      ...overflow,
    };
  if (/insufficient_quota|billing|credit/i.test(`${answer.type} ${answer.code}`) || status === 402)
    return { mayPass: false, next: 'The account has no credit left.', reason: 'quota' };
  if (status === 401 || status === 403)
    return { mayPass: false, next: `Check ${origin.keyFrom}.`, reason: 'key' };
  if (status === 404)
    return {
      mayPass: false,
      next: `Check the name of the model (\`codelab model list\` shows what there is), and ${origin.urlFrom} (${place}${/\/v\d/.test(place) ? '' : '; it often ends in /v1'}).`,
      reason: 'model',
    };
  if (status >= 300 && status < 400)
    return { mayPass: false, next: `${place} sends elsewhere; set ${origin.urlFrom} to the right address.` };
  if (status === 429) return { mayPass: true, next: 'Too many requests: wait a little.' };
  if (status === 408 || status === 409 || status >= 500)
    return { mayPass: true, next: 'The server has a problem: try later.' };
  return { mayPass: false, next: 'The request does not suit this model or server.' };
}

/** Some providers write the wait into the message: `Please try again in 8.2s`. */
function waitIn(message: string): number | undefined {
  const [, amount, unit] =
    /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?(ms|s|m)\b/i.exec(message) ?? [];
  if (amount === undefined) return undefined;
  return Math.ceil(Number(amount) * (unit === 'ms' ? 1 : unit === 'm' ? 60_000 : 1000));
}

/** OpenAI and Anthropic `{error:{message,type,code}}`, `{error:"…"}`, `{message}`, `{detail}`, plain text, or an HTML page. */
function readError(body: string): ProviderError {
  const nothing = { message: '', type: '', code: '', param: '' };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { ...nothing, message: plainText(body) };
  }
  if (Array.isArray(value)) value = value[0];
  const outer = asRecord(value);
  const inner = asRecord(outer.error);
  // OpenRouter's own message is “Provider returned error”; the provider's message is in `raw`.
  const { raw } = asRecord(inner.metadata);
  if (typeof raw === 'string' && raw !== '') return readError(raw);
  const message = [inner.message, outer.error, outer.message, outer.detail].find(
    (text) => typeof text === 'string',
  );
  return {
    message: typeof message === 'string' ? message : plainText(body),
    type: String(inner.type ?? outer.type ?? ''),
    code: String(inner.code ?? outer.code ?? ''),
    param: String(inner.param ?? ''),
  };
}

function plainText(body: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1];
  return (title ?? (/<html/i.test(body) ? '' : body)).replace(/\s+/g, ' ').trim();
}

function clean(text: string, { secrets }: Origin): string {
  const hidden = secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[key]'), text);
  return visible(hidden.length > maxMessageChars ? `${hidden.slice(0, maxMessageChars)}…` : hidden);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function trouble(message: string, mayPass: boolean): ModelFailure {
  return new ModelFailure(message, { mayPass, reason: 'connection' });
}

// How long a provider asks to wait, from whichever header says so.

/** Undefined when no header says so. */
function retryWait(headers: IncomingHttpHeaders, now: number): number | undefined {
  const requestedDelay = milliseconds(headers['retry-after-ms']) ?? retryAfter(headers['retry-after'], now);
  if (requestedDelay !== undefined) return requestedDelay;
  const resets = Object.entries(headers)
    .filter(
      ([name, remaining]) => name.includes('ratelimit') && name.includes('remaining') && remaining === '0',
    )
    .map(([name]) => reset(headers[resetName(name)], now))
    .filter((wait) => wait !== undefined);
  return resets.length === 0 ? undefined : Math.max(...resets);
}

type Header = string | string[] | undefined;

function milliseconds(header: Header): number | undefined {
  return typeof header === 'string' && /^\d+(\.\d+)?$/.test(header) ? Math.ceil(Number(header)) : undefined;
}

/** Seconds, or a date. */
function retryAfter(header: Header, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  return until(header, now);
}

/** `x-ratelimit-reset-requests` beside `x-ratelimit-remaining-requests`, `anthropic-ratelimit-tokens-reset` beside `…-remaining`. */
function resetName(remaining: string): string {
  return remaining.replace('remaining', 'reset');
}

/** `6m0s`, `20ms` (OpenAI) or a date (Anthropic). */
function reset(header: Header, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const parts = [...header.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== header) return until(header, now);
  return Math.ceil(
    parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0),
  );
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function until(date: string, now: number): number | undefined {
  const at = Date.parse(date);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
