// The record as lines of JSON that another program can verify. The body is the last member of a line, and the text that its hash covers,
// unless `stored` says that this text refers to long strings by their hash, or escapes some.
import { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import { longText, readEvent } from './entries.ts';
import type { StoredSeal } from './seals/seal.ts';

type Store = { file: string; blobs: BlobStore };
type Row = { seq: number; time: number; json: string; hash: string };

/** By a connection of its own, which sees the log as it is now: no seal may know of more entries than are written out. */
export function* exportLines(
  { file, blobs }: Store,
  sessions: readonly string[],
  { seals }: { seals: boolean },
): Generator<string> {
  using db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  db.exec('BEGIN');
  const rows = db.prepare('SELECT seq, time, json, hash FROM events WHERE session = ? ORDER BY seq');
  for (const session of sessions)
    for (const row of rows.iterate(session) as Iterable<Row>)
      yield entryLine(
        session,
        row,
        readEvent(row.json, (key) => longText(blobs, key)),
      );
  if (!seals) return;
  const all = db.prepare('SELECT n, text, hash, signature FROM seals ORDER BY n');
  for (const { n, text, hash, signature } of all.iterate() as Iterable<StoredSeal>)
    yield `${JSON.stringify({ seal: n, hash, signature, text })}\n`;
}

export function entryLine(session: string, { seq, time, json, hash }: Row, read: EventBody): string {
  const body = JSON.stringify(read);
  const entry = JSON.stringify({ session, seq, time, hash, ...(body !== json && { stored: json }) });
  return `${entry.slice(0, -1)},"body":${body}}\n`;
}
