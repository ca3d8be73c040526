// A seal: a signed statement where the sessions of a log stood at one time and which were deleted since the seal before, whose hash it
// names. What is signed is the stored text itself, byte by byte, so nobody has to write JSON in one certain way to check it.
import { sha256 } from '@codelab/runtime';
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
    /** The position in the log up to which entries were looked at. */
    at: Count(),
    /** In the first seal: how many entries were there before this log was ever sealed. */
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

/** What the signature is made over: never the bytes of anything else that may be signed one day. */
export function signedBytes(text: string): Buffer {
  return Buffer.from(`codelab seal 1\n${text}`, 'utf8');
}
