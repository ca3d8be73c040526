// Verifies the seals of a log, and by them its entries: that each seal follows the previous one, is signed with a key that counts here, and that the
// entries still lead to every head that was ever sealed, unless a signed deletion says why they are gone.
import type { DatabaseSync } from 'node:sqlite';
import type { Damage } from '@codelab/protocol';
import { fingerprintOf, isSignedBy } from './audit-key.ts';
import { hashOfSeal, readSeal, type Seal, type StoredSeal, sealHash } from './seal.ts';
import { noteFile, noteFileAsNamed, type SealNote, trustedFile } from './seal-note.ts';
import type { Witness } from './witness.ts';

const rowsAtOnce = 20;

/** The head of a session when it was sealed. */
export type Point = { seq: number; hash: string; n: number; time: number; isProven: boolean };
type Points = Map<string, Point[]>;

export type Sealed = {
  seals: number;
  /** The times of the first and of the last seal. */
  firstAt: number | undefined;
  lastAt: number | undefined;
  /** Entries that were there before the first seal. */
  before: number;
  /** Fingerprints of keys that signed seals, and whether they count here. */
  signers: Map<string, boolean>;
  /** The number of signed deletions. */
  deleted: number;
  points: Points;
};

export type SealsChecked = { damage: Damage | undefined; sealed: Sealed };

export type Broken = Pick<Damage, 'problem' | 'advice'>;

/** Checks the seals of a log one after the other, and collects their statements. */
export type SealFold = {
  readonly sealed: Sealed;
  /** Returns the fault of the next seal, if any. */
  add(row: StoredSeal): Broken | undefined;
};

export function foldSeals(witness: Witness): SealFold {
  const sealed: Sealed = {
    seals: 0,
    firstAt: undefined,
    lastAt: undefined,
    before: 0,
    signers: new Map(),
    deleted: 0,
    points: new Map(),
  };
  let last: { seal: Seal; hash: string } | undefined;
  let hasOwn = false;
  return {
    sealed,
    add(row) {
      const n = (last?.seal.n ?? 0) + 1;
      if (row.n !== n) return { problem: `Seal ${n} is missing.` };
      const seal = readSeal(row.text);
      if (seal === undefined || sealHash(row.text) !== row.hash || seal.n !== n || seal.at !== row.at)
        return { problem: `Seal ${n} was changed.` };
      if (seal.prev !== (last?.hash ?? '') || seal.log !== (last?.seal.log ?? seal.log))
        return { problem: `Seal ${n} does not follow the one before it.` };
      if (!isSignedBy(seal.key, row.text, row.signature))
        return { problem: `The signature of seal ${n} does not fit.` };
      const fingerprint = fingerprintOf(seal.key);
      const isProven = counts(witness, seal, fingerprint);
      if (!isProven && hasOwn)
        return {
          problem: `Seal ${n} was signed with another key, ${fingerprint}.`,
          advice: `If it is yours, on another machine, add it to ${trustedFile(witness.keys)}, a JSON array.`,
        };
      hasOwn ||= isProven;
      sealed.signers.set(fingerprint, isProven);
      take(seal, isProven, sealed);
      last = { seal, hash: row.hash };
      return undefined;
    },
  };
}

/** Within the caller's transaction; pauses again and again. */
export function* verifySeals(
  db: DatabaseSync,
  witness: Witness,
  only?: string,
): Generator<undefined, SealsChecked> {
  const fold = foldSeals(witness);
  const { sealed } = fold;
  const broken = (yield* badSeal(db, fold)) ?? badNote(witness, (n) => hashOfSeal(db, n));
  if (broken !== undefined) return { damage: { session: '', seq: 0, ...broken }, sealed };
  return { damage: yield* badPoint(db, sealed.points, only), sealed };
}

function* badSeal(db: DatabaseSync, fold: SealFold): Generator<undefined, Broken | undefined> {
  const rows = db.prepare('SELECT n, at, text, hash, signature FROM seals ORDER BY n');
  for (const row of rows.iterate() as Iterable<StoredSeal>) {
    const broken = fold.add(row);
    if (broken !== undefined) return broken;
    if (fold.sealed.seals % rowsAtOnce === 0) yield;
  }
  return undefined;
}

function counts({ key, trusted }: Witness, seal: Seal, fingerprint: string): boolean {
  return seal.key === key?.publicKey || trusted.has(fingerprint);
}

function take({ n, time, before = 0, heads, deleted }: Seal, isProven: boolean, sealed: Sealed): void {
  sealed.seals = n;
  sealed.firstAt ??= time;
  sealed.lastAt = time;
  sealed.before += before;
  // The name of a deleted session may have been used again when this was sealed.
  for (const { session } of deleted) sealed.points.delete(session);
  sealed.deleted += deleted.length;
  for (const { session, seq, hash } of heads) {
    const points = sealed.points.get(session) ?? [];
    points.push({ seq, hash, n, time, isProven });
    sealed.points.set(session, points);
  }
}

/** A seal that is noted beside the key and that the log has not got. */
export function badNote(
  { note, noteAsNamed, keys, file }: Witness,
  hashOf: (n: number) => string | undefined,
): Broken | undefined {
  const notes: [SealNote | undefined, string | undefined][] = [
    [note, noteFile(keys, file)],
    [noteAsNamed, noteFileAsNamed(keys, file)],
  ];
  for (const [note, at] of notes) {
    if (note === undefined || hashOf(note.n) === note.hash) continue;
    return {
      problem: `The key folder records ${note.n} seals, but the log lacks the last of them or has another one: the log was truncated, replaced or restored from a backup.`,
      advice: `If you have removed or restored the record yourself, remove ${at}.`,
    };
  }
  return undefined;
}

function* badPoint(
  db: DatabaseSync,
  points: Points,
  only: string | undefined,
): Generator<undefined, Damage | undefined> {
  const entry = db.prepare('SELECT hash FROM events WHERE session = ? AND seq = ?');
  const head = db.prepare('SELECT 1 FROM heads WHERE session = ?');
  let looked = 0;
  for (const [session, sealed] of points) {
    if (only !== undefined && session !== only) continue;
    if (head.get(session) === undefined) return goneSession(session, sealed);
    for (const point of sealed) {
      const found = entry.get(session, point.seq)?.hash;
      if (found !== point.hash) return wrongEntry(session, point, found);
      if (++looked % rowsAtOnce === 0) yield;
    }
  }
  return undefined;
}

export function goneSession(session: string, sealed: readonly Point[]): Damage {
  const entries = sealed.at(-1)?.seq ?? 0;
  return {
    session,
    seq: 1,
    problem: `The session is gone: ${entries} entries of it were sealed, and no signed deletion is recorded.`,
  };
}

/** `found`: the hash that the log has in the place of the sealed one; undefined when it has no such entry. */
export function wrongEntry(session: string, { seq, n, time }: Point, found: unknown): Damage {
  const when = `seal ${n} of ${new Date(time).toISOString()}`;
  const problem =
    found === undefined
      ? `Entry ${seq} is missing: ${when} names it.`
      : `Entry ${seq}, or one before it, was rewritten: its hash is not the one in ${when}.`;
  return { session, seq, problem };
}
