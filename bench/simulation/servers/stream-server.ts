// The NATS servers as a client sees them: a leader that answers, changes, and is away in between. Acknowledged data is never lost, as with
// three replicas; answers are, and an old leader may answer reads for a while.
import type { SimProcess } from '../machine/process.ts';
import type { Random, Scheduler } from '../machine/scheduler.ts';
import {
  type Buckets,
  createBuckets,
  createStreamStore,
  refusal,
  type StreamStore,
  type View,
} from './stores.ts';

export type Handle<T> = (view: View) => T;
export type Answer<T> = (give: () => T) => void;

export type StreamServer = {
  process: SimProcess;
  store: StreamStore;
  buckets: Buckets;
  /** Answered as soon as it is read, by an old leader perhaps. */
  read<T>(handle: Handle<T>, answer: Answer<T>): void;
  /** Answered when a majority has it; not at all when the leader changes meanwhile. */
  write<T>(handle: () => T, answer: Answer<T>): void;
  /** `staleMs`: how long the old leader continues to answer some of the reads. */
  changeLeader(awayMs: number, staleMs?: number): void;
  readonly counts: { reads: number; lostAnswers: number; leaderChanges: number };
};

const noLeader = 10008;
const commitMs = 0.4;
const everything: View = { seq: Number.POSITIVE_INFINITY, revision: Number.POSITIVE_INFINITY };
/** The share of reads that an old leader still answers. */
const staleShare = 0.3;

type Parts = { scheduler: Scheduler; random: Random; process: SimProcess };

export function createStreamServer(
  { scheduler, random, process }: Parts,
  { hasOrder = true } = {},
): StreamServer {
  const store = createStreamStore(() => scheduler.now, { hasOrder });
  const buckets = createBuckets();
  const leader = { term: 0, awayUntil: 0, staleUntil: 0, known: everything };
  const counts = { reads: 0, lostAnswers: 0, leaderChanges: 0 };

  /** Some requests fail with no leader, the others get no answer. */
  function isAway(answer: Answer<never>): boolean {
    if (scheduler.now >= leader.awayUntil) return false;
    const error = refusal(noLeader, 'JetStream system temporarily unavailable', 503);
    if (random.chance(0.5))
      answer(() => {
        throw error;
      });
    return true;
  }

  return {
    process,
    store,
    buckets,
    counts,
    read(handle, answer) {
      counts.reads++;
      const isStale = scheduler.now < leader.staleUntil && random.chance(staleShare);
      if (!isStale && isAway(answer)) return;
      answer(carriedOut(() => handle(isStale ? leader.known : everything)));
    },
    write(handle, answer) {
      if (isAway(answer)) return;
      const { term } = leader;
      scheduler.after(commitMs, () => {
        const isLost = term !== leader.term;
        // A request in flight when the leader changes is stored by the next leader or lost, and gets no answer.
        if (isLost && random.chance(0.5)) return;
        const give = carriedOut(handle);
        if (isLost) counts.lostAnswers++;
        else answer(give);
      });
    },
    changeLeader(awayMs, staleMs = random.between(0, 2 * awayMs)) {
      counts.leaderChanges++;
      leader.term++;
      leader.awayUntil = scheduler.now + awayMs;
      leader.staleUntil = scheduler.now + staleMs;
      leader.known = { seq: store.lastSeq, revision: buckets.revision };
    },
  };
}

function carriedOut<T>(handle: () => T): () => T {
  try {
    const value = handle();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
