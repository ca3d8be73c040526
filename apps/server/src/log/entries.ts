// Shared by all stores of the log: the text of an entry, its hash in the chain, its line in an export, and reading page by page.
import { setImmediate as otherWork } from 'node:timers/promises';
import type { EventBody, SessionEvent, SessionLog } from '@codelab/protocol';
import { sha256 } from '@codelab/runtime';

// The stored form of an event: JSON whose long strings are stored separately under their hash, so that a big file read twice is stored
// once. A string starting with NUL marks such a reference; a real one gets a second NUL in front.
const longChars = 32 * 1024;
const mark = '\0';
/** The start of such a string in JSON. */
const markText = '"\\u0000';
const address = `${mark}blob:`;
/** The start of a reference in the stored JSON. */
const addressText = `${markText}blob:`;

/** `keep` stores a long string and returns its address. */
export function writeEvent(body: EventBody, keep: (text: string) => string): string {
  // Where a long text is seen at once, the whole is not written twice.
  if (!showsLongText(body)) {
    const json = JSON.stringify(body);
    // Most texts are short, and a short text has no long strings.
    if (json.length <= longChars && !json.includes(markText)) return json;
    if (!needsCare(body)) return json;
  }
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

/** The addresses in an event's text, one for each occurrence. */
export function blobKeys(json: string): string[] {
  const keys: string[] = [];
  // The text is parsed, because a string may end in a quote and something that looks like an address.
  if (json.includes(addressText)) readEvent(json, (key) => `${keys.push(key)}`);
  return keys;
}

/** Looks where calls, answers and replies have their texts: three levels down, in no list. */
function showsLongText(value: object, levels = 3): boolean {
  const items = value as Record<string, unknown>;
  for (const key in items) {
    const item = items[key];
    if (typeof item === 'string' && item.length > longChars) return true;
    const isPlain = typeof item !== 'object' || item === null || Array.isArray(item);
    if (!isPlain && levels > 1 && showsLongText(item, levels - 1)) return true;
  }
  return false;
}

function needsCare(value: unknown): boolean {
  if (typeof value === 'string') return value.length > longChars || value.startsWith(mark);
  if (typeof value !== 'object' || value === null) return false;
  const items = value as Record<string, unknown>;
  // Every entry is checked, so no list of its values is made.
  for (const key in items) if (needsCare(items[key])) return true;
  return false;
}

/** Each event's hash covers everything recorded about it and the hash before it, so no entry changes or vanishes unnoticed. */
export const chainStart = '';

type Link = { session: string; seq: number; time: number; json: string };

export function chainHash(previous: string, { session, seq, time, json }: Link): string {
  return sha256(`${previous}\n${session}\n${seq}\n${time}\n${json}`);
}

/** The length of the entries written by this process, long texts included, so that it need not be computed twice. */
const known = new WeakMap<SessionEvent, number>();

export function noteChars(event: SessionEvent, chars: number): void {
  known.set(event, chars);
}

/** Undefined for an entry that was read. */
export function charsOf(event: SessionEvent): number | undefined {
  return known.get(event);
}

/** The workspace of a session, stored beside its first entry to find it faster; derived from the entry when it is written, verified or upgraded. */
export function workspaceOf(first: EventBody | undefined): string {
  return first?.type === 'session.opened' ? first.workspace : '';
}

/** The session that this one was forked from. */
export function originOf(first: EventBody | undefined): string | undefined {
  return first?.type === 'session.opened' ? first.forkedFrom?.session : undefined;
}

export function changesFiles(body: EventBody): boolean {
  return body.type === 'call.finished' && body.outcome.effects.length > 0;
}

export type StoredEntry = { seq: number; time: number; json: string; hash: string };

/** An entry as a line of JSON that another program can verify. The body is the last member of the line, and the text that the hash covers,
 * unless `stored` says that this text refers to long strings by their hash, or escapes some. */
export function entryLine(session: string, { seq, time, json, hash }: StoredEntry, read: EventBody): string {
  const body = JSON.stringify(read);
  const entry = JSON.stringify({ session, seq, time, hash, ...(body !== json && { stored: json }) });
  return `${entry.slice(0, -1)},"body":${body}}\n`;
}

// The entries of a session page by page, bounded in number and in size: an entry may hold whole files, and a session may be larger than the memory.
// Other requests are served between two pages.
export const logPage = { limit: 500, maxChars: 4 * 1024 * 1024 };

export async function* logPages(
  log: SessionLog,
  session: string,
  first = 0,
): AsyncGenerator<SessionEvent[], undefined> {
  for (let since = first; ; ) {
    const page = await log.read(session, { since, ...logPage });
    const last = page.at(-1);
    if (last === undefined) return;
    if (since > first) await otherWork();
    yield page;
    since = last.seq;
  }
}

/** Looks for an entry of a session without holding all of them in memory. */
type Fits = (event: SessionEvent) => boolean;

export async function findInLog(log: SessionLog, id: string, fits: Fits): Promise<SessionEvent | undefined> {
  for await (const page of logPages(log, id)) {
    const found = page.find(fits);
    if (found !== undefined) return found;
  }
  return undefined;
}

export async function findLastInLog(
  log: SessionLog,
  id: string,
  fits: Fits,
): Promise<SessionEvent | undefined> {
  let last: SessionEvent | undefined;
  for await (const page of logPages(log, id)) last = page.findLast(fits) ?? last;
  return last;
}
