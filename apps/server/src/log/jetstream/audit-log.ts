// Proves a log on NATS: the chain of every session, the seals, and that the entries are those that were sealed.
import type { Damage } from '@codelab/protocol';
import { entryLine } from '../entries.ts';
import { type AnchorCheck, compareAnchors } from '../seals/compare-anchors.ts';
import { proofOf, type Verified } from '../seals/proof.ts';
import { readSeal } from '../seals/seal.ts';
import {
  type Broken,
  badNote,
  foldSeals,
  goneSession,
  type Point,
  type Sealed,
  wrongEntry,
} from '../seals/verify-seals.ts';
import { openWitness, type Witness } from '../seals/witness.ts';
import type { Feed } from './feed.ts';
import { type ProvenStore, proveSession } from './reading/prove-session.ts';
import { withTexts } from './reading/read-session.ts';
import type { SealPlace, SealStream } from './seal-stream.ts';

type Parts = ProvenStore & { feed: Feed; seals: SealStream };
type Asked = { only: string | undefined; signal: AbortSignal };

const mostLooks = 3;

type Proofs = {
  audit(session?: string): Promise<Verified>;
  prove(session: string, signal: AbortSignal): Promise<Damage | undefined>;
  anchors(): Promise<AnchorCheck[]>;
  exportLines(sessions: readonly string[], options: { seals: boolean }): AsyncGenerator<string>;
};

/** `place`: whose key and notes the seals are judged by; without it only the chains are proven. */
export function proofs(parts: Parts, place: SealPlace | undefined): Proofs {
  const { messages, reader, texts, seals } = parts;
  const never = new AbortController().signal;
  return {
    audit: (only) => verifyStream(parts, place, { only, signal: never }),
    prove: async (only, signal) => (await verifyStream(parts, place, { only, signal })).damage,
    anchors: async () => (place === undefined ? [] : await checkAnchors(seals, place)),
    async *exportLines(sessions, options) {
      // Read before the entries, so that no seal covers more than is exported.
      const sealLines: string[] = [];
      if (options.seals)
        for await (const { n, hash, signature, text } of seals.all())
          sealLines.push(`${JSON.stringify({ seal: n, hash, signature, text })}\n`);
      for (const session of sessions) {
        const head = await reader.standing(session);
        if (head.seq === 0) continue;
        for await (const { standing, entries } of messages.from(session, head, { since: 0, isFresh: true }))
          for (const entry of entries) {
            const { event } = await withTexts(texts, { session, ...standing }, entry);
            yield entryLine(session, entry, event.body);
          }
      }
      yield* sealLines;
    },
  };
}

async function verifyStream(
  parts: Parts,
  place: SealPlace | undefined,
  { only, signal }: Asked,
): Promise<Verified> {
  for (let attempt = 1; ; attempt++) {
    // The notes, then the seals, then the entries: each may only have grown when the next is read.
    const witness = place && openWitness({ keys: place.keys, file: place.where });
    const checked = witness && (await checkSeals(parts.seals, witness));
    const found = await checkEntries(parts, checked?.sealed.points ?? new Map(), { only, signal });
    if (found.damage !== undefined) return { damage: found.damage };
    if (witness === undefined || checked === undefined) return {};
    const proof = proofOf(witness, checked.sealed, { heads: found.heads, only });
    const broken = checked.broken && { session: '', seq: 0, ...checked.broken };
    const damage = broken ?? found.unsealed;
    // A session may have been deleted while it was looked for.
    if (damage === undefined || broken !== undefined || attempt === mostLooks) return { damage, proof };
  }
}

async function checkSeals(
  seals: SealStream,
  witness: Witness,
): Promise<{ sealed: Sealed; broken: Broken | undefined }> {
  const fold = foldSeals(witness);
  const hashes = new Map<number, string>();
  let broken: Broken | undefined;
  for await (const row of seals.all()) {
    broken ??= fold.add(row);
    hashes.set(row.n, row.hash);
  }
  return { sealed: fold.sealed, broken: broken ?? badNote(witness, (n) => hashes.get(n)) };
}

type Found = {
  /** A chain that is broken. */
  damage?: Damage | undefined;
  /** An entry, or a session, that is not the one that was sealed. */
  unsealed?: Damage | undefined;
  heads: { session: string; seq: number }[];
};

async function checkEntries(
  parts: Parts,
  points: ReadonlyMap<string, readonly Point[]>,
  { only, signal }: Asked,
): Promise<Found> {
  const known = only === undefined ? [...(await parts.feed.current()).keys()] : [only];
  const sealed = [...points.keys()].filter((session) => only === undefined || session === only);
  const found: Found = { heads: [] };
  for (const session of new Set([...known, ...sealed].sort())) {
    const hashes = new Map<number, string>();
    const wantedSeqs = new Set(points.get(session)?.map(({ seq }) => seq));
    const onEntry = (seq: number, hash: string): void => {
      if (wantedSeqs.has(seq)) hashes.set(seq, hash);
    };
    const { damage, seq } = await proveSession(parts, session, { signal, onEntry });
    if (damage !== undefined) return { damage, heads: [] };
    if (seq > 0) found.heads.push({ session, seq });
    found.unsealed ??= differing(session, points.get(session) ?? [], { seq, hashes });
  }
  return found;
}

function differing(
  session: string,
  points: readonly Point[],
  { seq, hashes }: { seq: number; hashes: ReadonlyMap<number, string> },
): Damage | undefined {
  if (points.length > 0 && seq === 0) return goneSession(session, points);
  const wrong = points.find((point) => hashes.get(point.seq) !== point.hash);
  return wrong && wrongEntry(session, wrong, hashes.get(wrong.seq));
}

async function checkAnchors(
  seals: SealStream,
  { keys, where: file, sealing }: SealPlace,
): Promise<AnchorCheck[]> {
  const { note } = openWitness({ keys, file });
  const { text = '' } = (await seals.last()) ?? {};
  const { hashOf } = seals;
  return await compareAnchors(
    { hashOf, log: readSeal(text)?.log ?? '' },
    { note, anchors: sealing.anchors ?? [] },
  );
}
