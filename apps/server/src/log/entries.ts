// How an entry of the log is stored and read back: its text, its hash in the chain, and where long texts are kept.
import { hash as hashOf } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import {
  type EventBody,
  type ReadOptions,
  type SessionEvent,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import { type BlobStore, sha256 } from '@codelab/runtime';
import type { Statements } from './statements.ts';

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

type Store = { sql: Statements; readonly blobs: BlobStore; heads: KnownHeads };
type EventRow = { seq: number; time: number; json: string; hash: string };

/** Reads the entries of a session with their long texts, no more of them than is wanted. */
export function readEvents(store: Store): (session: string, options: ReadOptions) => SessionEvent[] {
  const { sql, heads } = store;
  return (session, options) => {
    if (heads.isLast(session, options.since ?? 0)) return [];
    try {
      return readRows(store, session, options);
    } catch (error) {
      // Deleted by another process while it was read: its texts were gone first.
      if (error instanceof ToolError && sql.head.get(session) === undefined) return [];
      throw error;
    }
  };
}

function readRows(
  store: Store,
  session: string,
  { since = 0, limit = -1, maxChars }: ReadOptions,
): SessionEvent[] {
  const events: SessionEvent[] = [];
  let chars = 0;
  // All at once is faster, where all is wanted.
  const way = maxChars === undefined ? 'all' : 'iterate';
  const rows = store.sql.read[way](session, since, limit) as Iterable<EventRow>;
  for (const { seq, time, json, hash } of rows) {
    chars += json.length;
    const body = readEvent(json, (key) => {
      const text = longText(store.blobs, key);
      chars += text.length;
      return text;
    });
    if (maxChars !== undefined && chars > maxChars && events.length > 0) break;
    events.push({ session, seq, time, hash, body });
  }
  return events;
}

export function longText(blobs: BlobStore, key: string): string {
  const bytes = blobs.get(key);
  if (bytes !== undefined && hashOf('sha256', bytes, 'hex') === key) return bytes.toString('utf8');
  throw new ToolError('LOG_DAMAGED', `A text of the session log is missing or was changed (${key}).`);
}

/** Where sessions stand as far as this process has written them itself, so that looking for news where there are none costs next to nothing. */
const maxKnown = 10_000;

export type KnownHeads = {
  /** Whether nothing comes after this entry, whoever may have written. */
  isLast(session: string, seq: number): boolean;
  note(heads: ReadonlyMap<string, number>): void;
  forget(session: string): void;
};

export function createKnownHeads(sql: Statements): KnownHeads {
  const known = new Map<string, number>();
  let version: unknown;
  return {
    isLast(session, seq) {
      if (known.get(session) !== seq) return false;
      // SQLite changes this number when another connection has written; what is known is as old as the number kept, or newer.
      const now = sql.version.get()?.data_version;
      if (now === version) return true;
      version = now;
      known.clear();
      return false;
    },
    note(heads) {
      if (known.size > maxKnown) known.clear();
      for (const [session, seq] of heads) known.set(session, seq);
    },
    forget: (session) => void known.delete(session),
  };
}

// The entries of a session page by page, bounded in number and in size: they may hold whole files, and a session may be longer than
// there is memory for. Others are served between two pages.
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
