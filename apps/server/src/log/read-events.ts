// Reads the entries of a session with their long texts, no more of them than is wanted.
import { hash } from 'node:crypto';
import { type ReadOptions, type SessionEvent, ToolError } from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import { readEvent } from './event-text.ts';
import type { KnownHeads } from './known-heads.ts';
import type { Statements } from './statements.ts';

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
