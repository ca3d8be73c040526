// Seals of a log on NATS: each is a message in a separate stream that must follow the one before, so several gateways seal on top of each
// other. The feed shows the changes since the last seal.
import type { EventBody } from '@codelab/protocol';
import { userName } from '@codelab/runtime';
import {
  type SealedHead,
  type SealKey,
  type StoredSeal,
  sealAfter,
  type Tombstone,
  type Written,
} from '../seals/seal.ts';
import { brief, keyFrom, onceEach, type Sealing, scheduleSeals, tellOf } from '../seals/sealer.ts';
import type { Broker } from './broker.ts';
import type { Feed } from './feed.ts';
import type { Standing } from './message.ts';
import { batches } from './reading/read-messages.ts';
import { codeOf, wrongLastSequence } from './requests.ts';

export type SealStream = {
  last(): Promise<StoredSeal | undefined>;
  hashOf(n: number): Promise<string | undefined>;
  /** All that are stored now. */
  all(): AsyncGenerator<StoredSeal>;
  /** False when another one was stored first. */
  add(seal: StoredSeal): Promise<boolean>;
};

export function openSealStream(broker: Broker): SealStream {
  const { js, jsm, names, newId, withRetries } = broker;
  const subject = names.seals;
  async function find(query: { last_by_subj: string } | { seq: number }): Promise<StoredSeal | undefined> {
    const found = await withRetries(() => jsm.streams.getMessage(names.seals, query));
    return found === null ? undefined : readStored(found.data);
  }
  return {
    last: () => find({ last_by_subj: subject }),
    // The stream never loses a message, so the number of a seal is that of its message.
    hashOf: async (n) => (await find({ seq: n }))?.hash,
    async *all() {
      const { n = 0 } = (await find({ last_by_subj: subject })) ?? {};
      const range = { stream: names.seals, subject, from: 1, to: n };
      if (n === 0) return;
      for await (const batch of batches(broker, range)) yield* batch.map(({ data }) => readStored(data));
    },
    add(seal) {
      const options = { msgID: newId(), expect: { lastSubjectSequence: seal.n - 1 } };
      return withRetries(async () => {
        try {
          await js.publish(subject, JSON.stringify(seal), options);
          return true;
        } catch (error) {
          if (wrongLastSequence.includes(codeOf(error) ?? 0)) return false;
          throw error;
        }
      });
    },
  };
}

/** Seals that differ from their written form are left to the verification. */
function readStored(data: Uint8Array): StoredSeal {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8')) as StoredSeal;
  } catch {
    return { n: 0, at: 0, text: '', hash: '', signature: '' };
  }
}

export type StreamSealer = {
  noteAppend(bodies: readonly EventBody[]): void;
  /** Before a session is deleted: a crash in between leaves a session that is still there. */
  bury(session: string, head: Standing, by: DeletedBy | undefined): Promise<void>;
  finish(options: { isBrief: boolean }): Promise<void>;
};

type DeletedBy = { who: string; via: string };
/** `where`: the address of the log, by which its latest seal is noted beside the key. */
export type SealPlace = { home: string; keys: string; where: string; sealing: Sealing };
type Parts = { seals: SealStream; feed: Feed };
type Connected = Pick<Broker, 'isConnected'>;

/** A seal must fit into one message. */
const headsAtOnce = 2000;
/** Each seal is noted in a file beside the key, and synced; a busy gateway does not do so at every turn. */
const leastMs = 5000;

export function createStreamSealer(
  { seals, feed, broker }: Parts & { broker: Connected },
  place: SealPlace,
): StreamSealer {
  const { keys, where: file, sealing } = place;
  const ownKey = keyFrom(keys, place.home);
  const reportOnce = onceEach(sealing.onProblem);
  const appended = { entries: 0 };
  let isOver = false;

  async function write(deleted: readonly Tombstone[]): Promise<void> {
    const written = await sealChanges({ seals, feed }, ownKey(), { deleted, appended: appended.entries });
    const noted = { file, keys, hashOf: seals.hashOf };
    if (written !== undefined)
      await tellOf(noted, written, { ...sealing, tell: reportOnce }).catch(reportOnce);
  }

  const { noteAppend, finish } = scheduleSeals({
    leastMs,
    // A process that ends does not wait for unreachable servers: another process seals the remaining entries.
    isOpen: () => !isOver && broker.isConnected(),
    seal: () => write([]).catch(reportOnce),
    isRecent: () => isRecent(seals, feed).catch(() => false),
  });
  return {
    async finish(options) {
      await finish(options);
      isOver = true;
    },
    noteAppend(bodies) {
      appended.entries += bodies.length;
      noteAppend(bodies);
    },
    async bury(session, { seq, hash }, by) {
      const { who, via } = by ?? { who: userName(), via: 'codelab' };
      try {
        ownKey();
      } catch (error) {
        // Without a seal this deletion would look like tampering.
        if ((await seals.last()) !== undefined) throw error;
        return reportOnce(error);
      }
      await write([{ session, entries: seq, hash, who, via, time: Date.now() }]);
    },
  };
}

type Changes = { deleted: readonly Tombstone[]; appended: number };

/** Seals all that has changed, and with the last of it the deletions; undefined when there was nothing. `appended`: entries of this process. */
async function sealChanges(
  { seals, feed }: Parts,
  key: SealKey,
  { deleted, appended }: Changes,
): Promise<Written | undefined> {
  for (let written: Written | undefined; ; ) {
    const last = await seals.last();
    const all = await feed.current();
    const { heads, at, isLast } = changedAfter(last?.at ?? 0, all, deleted);
    const deletions = isLast ? deleted : [];
    if (heads.length === 0 && deletions.length === 0) return written;
    const before = last === undefined ? Math.max(0, entriesIn(all) - appended) : 0;
    const seal = sealAfter(last, key, { at, before, heads, deleted: deletions });
    const { seal: _, ...stored } = seal;
    if (!(await seals.add(stored))) continue;
    written = seal;
    if (isLast) return written;
  }
}

/** The heads that come next, and up to where the log is sealed with them. */
function changedAfter(
  since: number,
  all: ReadonlyMap<string, Standing>,
  deleted: readonly Tombstone[],
): { heads: SealedHead[]; at: number; isLast: boolean } {
  const deletedIds = new Set(deleted.map(({ session }) => session));
  const changed = [...all].filter(
    ([session, state]) => state.at > since && state.seq > 0 && !deletedIds.has(session),
  );
  const next = changed.sort(([, a], [, b]) => a.at - b.at).slice(0, headsAtOnce);
  const heads = next.map(([session, { seq, hash }]) => ({ session, seq, hash }));
  const isLast = next.length === changed.length;
  // After the last message of the deleted session: the next seal must not find it changed while it still exists.
  const ends = isLast ? [...all.values()] : next.map(([, state]) => state);
  return { heads, at: ends.reduce((latest, state) => Math.max(latest, state.at), since), isLast };
}

function entriesIn(all: ReadonlyMap<string, Standing>): number {
  return [...all.values()].reduce((sum, { seq }) => sum + seq, 0);
}

async function isRecent(seals: SealStream, feed: Feed): Promise<boolean> {
  const last = await seals.last();
  if (last === undefined) return false;
  const age = Math.abs(Date.now() - (JSON.parse(last.text) as { time: number }).time);
  const { heads } = changedAfter(last.at, await feed.current(), []);
  return age < brief.ms && heads.length < brief.entries;
}
