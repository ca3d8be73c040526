// Writes the record out as lines of JSON that another program can verify.
import { DatabaseSync } from 'node:sqlite';
import type { BlobStore } from '@codelab/runtime';
import { entryLine, readEvent, type StoredEntry } from '../entries.ts';
import type { StoredSeal } from '../seals/seal.ts';
import { longText } from './statements.ts';

/** Reads with a separate connection, which sees the log as of its start: no seal may cover more entries than are exported. */
export function* exportLines(
  { file, blobs }: { file: string; blobs: BlobStore },
  sessions: readonly string[],
  { seals }: { seals: boolean },
): Generator<string> {
  using db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  db.exec('BEGIN');
  const rows = db.prepare('SELECT seq, time, json, hash FROM events WHERE session = ? ORDER BY seq');
  for (const session of sessions)
    for (const row of rows.iterate(session) as Iterable<StoredEntry>)
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
