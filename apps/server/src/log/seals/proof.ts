// The extent of what a log's seals prove about its entries, as numbers and as sentences.
import type { Damage } from '@codelab/protocol';
import { keyFile } from './audit-key.ts';
import type { Sealed } from './verify-seals.ts';
import type { Witness } from './witness.ts';

/** The result of an audit. `proof` exists as soon as readable seals exist. */
export type Verified = { damage?: Damage | undefined; proof?: Proof };

export type Proof = {
  /** The key here; null without one. */
  key: string | null;
  key_file: string;
  seals: number;
  /** The time of the last seal, in milliseconds; null without one. */
  sealed_at: number | null;
  /** The number of signed deletions. */
  deletions: number;
  entries: {
    /** Entries sealed with a key that counts here: none of them was changed since, and none is missing. */
    proven: number;
    /** Entries sealed only with keys that do not count here. */
    foreign: number;
    /** Newer than the last seal of their session. */
    unsealed: number;
    /** Proven entries from before the log was first sealed. What happened to them before that cannot be known. */
    before_sealing: number;
  };
  /** The unproven parts, in sentences. */
  not_proven: string[];
};

/** The states of the proven sessions: all of them, or `only` one. */
type Heads = { heads: Iterable<{ session: string; seq: number }>; only?: string | undefined };

export function proofOf(witness: Witness, sealed: Sealed, { heads, only }: Heads): Proof {
  const entries = countEntries(heads, sealed, only);
  const proof = {
    key: witness.key?.fingerprint ?? null,
    key_file: keyFile(witness.keys),
    seals: sealed.seals,
    sealed_at: sealed.lastAt ?? null,
    deletions: sealed.deleted,
    entries,
  };
  return { ...proof, not_proven: notProven(proof, witness, sealed) };
}

function countEntries(
  heads: Heads['heads'],
  { points, before }: Sealed,
  only: string | undefined,
): Proof['entries'] {
  const counts = { proven: 0, foreign: 0, unsealed: 0 };
  for (const { session, seq } of heads) {
    const sealed = points.get(session) ?? [];
    const proven = sealed.findLast(({ isProven }) => isProven)?.seq ?? 0;
    const last = sealed.at(-1)?.seq ?? 0;
    counts.proven += proven;
    counts.foreign += last - proven;
    counts.unsealed += seq - last;
  }
  // The number for a single session was never counted.
  return { ...counts, before_sealing: only === undefined ? Math.min(before, counts.proven) : 0 };
}

function notProven(
  { seals, entries }: Omit<Proof, 'not_proven'>,
  witness: Witness,
  sealed: Sealed,
): string[] {
  const { key, note, keys } = witness;
  const found = [...witness.problems];
  if (seals === 0)
    found.push(
      'Nothing is sealed: anyone who can write the log could have replaced it. Logs are sealed when something is recorded.',
    );
  if (seals > 0 && key === undefined)
    found.push(`The key that signs is not here (${keyFile(keys)}): set CODELAB_KEYS to its folder.`);
  const foreign = [...sealed.signers].flatMap(([name, isProven]) => (isProven ? [] : [name]));
  if (entries.foreign > 0)
    found.push(
      `${count(entries.foreign)} sealed with a key that does not count here: ${foreign.join(', ')}.`,
    );
  if (seals > 0 && entries.unsealed > 0)
    found.push(`${count(entries.unsealed)} newer than the last seal, so they could have been changed.`);
  if (entries.before_sealing > 0 && sealed.firstAt !== undefined)
    found.push(
      `${count(entries.before_sealing)} older than the first seal of ${new Date(sealed.firstAt).toISOString()}: they are proven from then on.`,
    );
  if (seals > 0 && note === undefined)
    found.push(
      'No seal of this log is noted beside the key: newest seals that were cut off would not be missed.',
    );
  return found;
}

function count(entries: number): string {
  return entries === 1 ? '1 entry is' : `${entries} entries are`;
}
