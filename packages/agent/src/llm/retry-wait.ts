// How long a provider wants to be left alone, from whichever header says so.
import type { IncomingHttpHeaders } from 'node:http';

/** Undefined when nothing was said. */
export function retryWait(headers: IncomingHttpHeaders, now: number): number | undefined {
  const asked = milliseconds(headers['retry-after-ms']) ?? retryAfter(headers['retry-after'], now);
  if (asked !== undefined) return asked;
  const resets = Object.entries(headers)
    .filter(([name, left]) => name.includes('ratelimit') && name.includes('remaining') && left === '0')
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
