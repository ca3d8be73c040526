// Verifies one session: every link of its chain, the texts its entries refer to, and that the indexes agree with the entries.
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Damage, EventBody } from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import { blobKeys, chainHash, chainStart, changesFiles, originOf, workspaceOf } from '../entries.ts';

/** The amount checked without a pause; an entry costs something even when it is empty. */
const charsAtOnce = 256 * 1024;
const charsPerEntry = 1024;

export type HeadRow = {
  session: string;
  seq: number;
  hash: string;
  opened_at: number;
  last_at: number;
  workspace: string;
  forked_from: string | null;
};

type Row = { at: number; session: string; seq: number; time: number; json: string; hash: string };
type Store = { db: DatabaseSync; blobs: BlobStore };

/** The texts that were looked at, each with how often entries refer to it. */
export type TextUses = Map<string, number>;

export function* badChain(
  { db, blobs }: Store,
  head: HeadRow,
  texts: TextUses,
): Generator<undefined, Damage | undefined> {
  const { session } = head;
  const computed = { running: new Set<string>(), changes: [] as Row[] };
  let first: Row | undefined;
  let last: Row | undefined;
  const rows = db.prepare(
    'SELECT rowid AS at, session, seq, time, json, hash FROM events WHERE session = ? ORDER BY seq',
  );
  let charsLeft = charsAtOnce;
  for (const row of rows.iterate(session) as Iterable<Row>) {
    const seq = (last?.seq ?? 0) + 1;
    if (row.seq !== seq) return { session, seq, problem: `Entry ${seq} is missing.` };
    if (chainHash(last?.hash ?? chainStart, row) !== row.hash)
      return { session, seq, problem: `Entry ${seq} was changed: its hash does not fit.` };
    const { problem, chars } = badTexts(blobs, row.json, texts);
    if (problem !== undefined) return { session, seq, problem };
    noteCalls(row, computed);
    first ??= row;
    last = row;
    charsLeft -= row.json.length + chars + charsPerEntry;
    if (charsLeft > 0) continue;
    yield;
    charsLeft = charsAtOnce;
  }
  if (last?.seq !== head.seq || last.hash !== head.hash) {
    const problem = `The log ends at ${last?.seq ?? 0}, but ${head.seq} entries were recorded.`;
    return { session, seq: (last?.seq ?? 0) + 1, problem };
  }
  const isSame =
    isSummary(head, first ?? last, last) && isRunning(db, head, computed) && isChanged(db, head, computed);
  return isSame ? undefined : { session, seq: 0, problem: 'The summary of this session was changed.' };
}

type Told = { running: Set<string>; changes: Row[] };

function noteCalls(row: Row, { running, changes }: Told): void {
  if (!row.json.startsWith('{"type":"call.')) return;
  const body: EventBody = JSON.parse(row.json);
  if (body.type === 'call.started') running.add(body.callId);
  if (body.type === 'call.finished') running.delete(body.callId);
  if (changesFiles(body)) changes.push({ ...row, json: '' });
}

function isSummary(head: HeadRow, first: Row, last: Row): boolean {
  const body: EventBody = JSON.parse(first.json);
  const isSameTime = head.opened_at === first.time && head.last_at === last.time;
  return isSameTime && head.workspace === workspaceOf(body) && head.forked_from === (originOf(body) ?? null);
}

function isRunning(db: DatabaseSync, { session }: HeadRow, { running }: Told): boolean {
  const rows = db.prepare('SELECT call_id FROM running WHERE session = ?').all(session);
  return rows.length === running.size && rows.every((row) => running.has(String(row.call_id)));
}

function isChanged(db: DatabaseSync, { workspace }: HeadRow, { changes }: Told): boolean {
  const found = db.prepare('SELECT session, seq FROM changes WHERE workspace = ? AND at = ?');
  return changes.every(({ at, session, seq }) => {
    const row = found.get(workspace, at);
    return row?.session === session && row.seq === seq;
  });
}

function badTexts(blobs: BlobStore, json: string, texts: TextUses): { problem?: string; chars: number } {
  let chars = 0;
  for (const key of blobKeys(json)) {
    const uses = texts.get(key);
    texts.set(key, (uses ?? 0) + 1);
    if (uses !== undefined) continue;
    const text = blobs.get(key);
    if (text === undefined) return { problem: `A text it refers to is missing (${key}).`, chars };
    if (hash('sha256', text, 'hex') !== key)
      return { problem: `A text it refers to was changed (${key}).`, chars };
    chars += text.length;
  }
  return { chars };
}
