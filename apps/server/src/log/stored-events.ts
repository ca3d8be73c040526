// How an entry of the log is stored: its text, its hash in the chain, and where long texts are kept.
import type { EventBody, SessionEvent } from '@codelab/protocol';
import { sha256 } from '@codelab/runtime';

// The stored form of an event: JSON whose long strings are kept apart, addressed by their hash, so that a big file read
// twice is stored once. A string starting with NUL marks such an address; a real one gets a second NUL in front.
const longChars = 32 * 1024;
const mark = '\0';
/** How a string with that mark begins in JSON. */
const markText = '"\\u0000';
const address = `${mark}blob:`;
/** How an address begins in the stored JSON. */
const addressText = `${markText}blob:`;

/** `keep` stores a long string and returns its address. */
export function writeEvent(body: EventBody, keep: (text: string) => string): string {
  const json = JSON.stringify(body);
  // Most are short, and a short text has no long strings.
  if (json.length <= longChars && !json.includes(markText)) return json;
  if (!needsCare(body)) return json;
  return JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (value.length > longChars) return address + keep(value);
    return value.startsWith(mark) ? mark + value : value;
  });
}

export function readEvent(json: string, blob: (key: string) => string): EventBody {
  if (!json.includes(markText)) return JSON.parse(json);
  return JSON.parse(json, (_key, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value;
    return value.startsWith(address) ? blob(value.slice(address.length)) : value.slice(mark.length);
  });
}

/** The addresses an event's text refers to, each as often as it does. */
export function blobKeys(json: string): string[] {
  const keys: string[] = [];
  // Parsed as it is read: a string may well end in a quote and what looks like an address.
  if (json.includes(addressText)) readEvent(json, (key) => `${keys.push(key)}`);
  return keys;
}

function needsCare(value: unknown): boolean {
  if (typeof value === 'string') return value.length > longChars || value.startsWith(mark);
  if (typeof value !== 'object' || value === null) return false;
  const items = value as Record<string, unknown>;
  // Every entry is looked through, so no list of its values is made.
  for (const key in items) if (needsCare(items[key])) return true;
  return false;
}

/** Each event's hash covers everything recorded about it and the hash before it, so no entry changes or vanishes unnoticed. */
export const chainStart = '';

type Link = { session: string; seq: number; time: number; json: string };

export function chainHash(previous: string, { session, seq, time, json }: Link): string {
  return sha256(`${previous}\n${session}\n${seq}\n${time}\n${json}`);
}

/** How long the entries written by this process are, long texts included: whoever has to know need not look through them once more. */
const known = new WeakMap<SessionEvent, number>();

export function noteChars(event: SessionEvent, chars: number): void {
  known.set(event, chars);
}

/** Undefined for an entry that was read. */
export function charsOf(event: SessionEvent): number | undefined {
  return known.get(event);
}
