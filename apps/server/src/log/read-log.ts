// Reads entries of a session back, and where each session stands.
import { hash } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { type ReadOptions, type SessionEvent, type SessionLog, ToolError } from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import type { Statements } from './statements.ts';
import { readEvent } from './stored-events.ts';

/** Reads the entries of a session with their long texts, no more of them than is wanted. */
type Store = { sql: Statements; blobs: BlobStore; heads: KnownHeads };
type EventRow = { seq: number; time: number; json: string; hash: string };

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
  { sql, blobs }: Store,
  session: string,
  { since = 0, limit = -1, maxChars }: ReadOptions,
): SessionEvent[] {
  const events: SessionEvent[] = [];
  let chars = 0;
  // All at once is faster, where all is wanted.
  const way = maxChars === undefined ? 'all' : 'iterate';
  const rows = sql.read[way](session, since, limit) as Iterable<EventRow>;
  for (const { seq, time, json, hash } of rows) {
    chars += json.length;
    const body = readEvent(json, (key) => {
      const text = longText(blobs, key);
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
  if (bytes !== undefined && hash('sha256', bytes, 'hex') === key) return bytes.toString('utf8');
  throw new ToolError('LOG_DAMAGED', `A text of the session log is missing or was changed (${key}).`);
}

/** Where sessions stand as far as this process has written them itself, so that looking for news where there are none costs next to nothing. */
const maxKnown = 10_000;

type KnownHeads = {
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
