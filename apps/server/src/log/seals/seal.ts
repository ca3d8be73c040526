// A seal: a signed statement of the heads of a log's sessions at one time and of those deleted since the previous seal, whose hash it names. The
// stored text itself is signed, byte by byte, so verifying needs no canonical JSON.
import type { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { randomId, sha256 } from '@codelab/runtime';
import * as z from 'zod/mini';

const Count = () => z.int().check(z.nonnegative());
const Hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

const SealedHead = () => z.strictObject({ session: z.string(), seq: Count(), hash: Hash() });

/** A session that was deleted: how many entries it had, the hash of the last one, and who deleted it. */
const Tombstone = () =>
  z.strictObject({
    session: z.string(),
    entries: Count(),
    hash: Hash(),
    who: z.string(),
    via: z.string(),
    time: Count(),
  });

const Seal = () =>
  z.strictObject({
    v: z.literal(1),
    /** Names the log: a seal of another log, signed with the same key, is not one of this. */
    log: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    n: z.int().check(z.positive()),
    prev: z.union([z.literal(''), Hash()]),
    time: Count(),
    /** The public key, 32 bytes as base64url. */
    key: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
    /** The position in the log up to which entries were read. */
    at: Count(),
    /** In the first seal: the number of entries before the log was first sealed. */
    before: z.optional(Count()),
    heads: z.array(SealedHead()),
    deleted: z.array(Tombstone()),
  });

export type SealedHead = z.infer<ReturnType<typeof SealedHead>>;
export type Tombstone = z.infer<ReturnType<typeof Tombstone>>;
export type Seal = z.infer<ReturnType<typeof Seal>>;

/** A row of the table `seals`; `hash` is that of the text, which the next seal names as `prev`. */
export type StoredSeal = { n: number; at: number; text: string; hash: string; signature: string };

export const sealTables = `
  CREATE TABLE seals (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL, signature TEXT NOT NULL);
`;

export function readSeal(text: string): Seal | undefined {
  try {
    const parsed = Seal().safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function sealHash(text: string): string {
  return sha256(text);
}

/** The signed bytes: prefixed, so that they never equal those of anything else that may be signed one day. */
export function signedBytes(text: string): Buffer {
  return Buffer.from(`codelab seal 1\n${text}`, 'utf8');
}

/** The key that signs: its public part, and the signature of a seal's text, as base64. */
export type SealKey = { publicKey: string; sign(text: string): string };

export type Written = { seal: Seal; hash: string; signature: string };

export function hashOfSeal(db: DatabaseSync, n: number): string | undefined {
  const row = db.prepare('SELECT hash FROM seals WHERE n = ?').get(n);
  return row === undefined ? undefined : String(row.hash);
}

/** The name that the seals give the log; empty when there are none. */
export function logIdIn(db: DatabaseSync): string {
  const row = db.prepare('SELECT text FROM seals ORDER BY n LIMIT 1').get();
  return (row && readSeal(String(row.text))?.log) ?? '';
}

/** The number of the latest append; it grows by one with each. */
function positionIn(db: DatabaseSync): number {
  return Number(db.prepare('SELECT max(rowid) AS at FROM events').get()?.at ?? 0);
}

/**
 * Adds a seal to the log within the caller's transaction, so that two processes seal one after the other. Undefined when nothing has changed since
 * the last seal.
 */
export function writeSeal(
  db: DatabaseSync,
  key: SealKey,
  { deleted = [], before = 0 }: { deleted?: readonly Tombstone[]; before?: number } = {},
): Written | undefined {
  const last = db.prepare('SELECT n, at, text FROM seals ORDER BY n DESC LIMIT 1').get() as
    | Pick<StoredSeal, 'n' | 'at' | 'text'>
    | undefined;
  // A session that is being deleted is still there within this transaction.
  const gone = new Set(deleted.map(({ session }) => session));
  const heads = changedHeads(db, last?.at).filter(({ session }) => !gone.has(session));
  if (heads.length === 0 && deleted.length === 0) return undefined;
  const written = sealAfter(last, key, { at: positionIn(db), before, heads, deleted });
  const { n, at, text, hash, signature } = written;
  db.prepare('INSERT INTO seals (n, at, text, hash, signature) VALUES (?, ?, ?, ?, ?)').run(
    n,
    at,
    text,
    hash,
    signature,
  );
  return written;
}

type Stated = Pick<Seal, 'at' | 'heads'> & { before: number; deleted: readonly Tombstone[] };

/** The next seal of a log, signed. */
export function sealAfter(
  last: Pick<StoredSeal, 'n' | 'text'> | undefined,
  key: SealKey,
  { at, before, heads, deleted }: Stated,
): Written & StoredSeal {
  const seal: Seal = {
    v: 1,
    log: last === undefined ? randomId() : logOf(last),
    n: (last?.n ?? 0) + 1,
    prev: last === undefined ? '' : sealHash(last.text),
    time: Date.now(),
    key: key.publicKey,
    at,
    ...(last === undefined && { before }),
    heads,
    deleted: [...deleted],
  };
  const text = JSON.stringify(seal);
  return { seal, n: seal.n, at, text, hash: sealHash(text), signature: key.sign(text) };
}

/** Goes through the entries since then, not through all sessions. One row of `events` belongs to no session and is not meant. */
function changedHeads(db: DatabaseSync, at: number | undefined): SealedHead[] {
  if (at === undefined)
    return rows(db.prepare('SELECT session, seq, hash FROM heads ORDER BY session').all());
  const changed = db.prepare(
    `SELECT session, seq, hash FROM heads WHERE session IN (SELECT session FROM events WHERE rowid > ?) ORDER BY session`,
  );
  return rows(changed.all(at));
}

function rows(found: readonly Record<string, unknown>[]): SealedHead[] {
  return found.map(({ session, seq, hash }) => ({
    session: String(session),
    seq: Number(seq),
    hash: String(hash),
  }));
}

// A seal that can't be read gets no seal on top of it.
function logOf({ n, text }: Pick<StoredSeal, 'n' | 'text'>): string {
  const { log } = readSeal(text) ?? {};
  if (log !== undefined) return log;
  throw new ToolError(
    'LOG_DAMAGED',
    `Seal ${n} can't be read. \`codelab audit verify\` says what is broken.`,
  );
}
