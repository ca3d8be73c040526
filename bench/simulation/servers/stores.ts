// The data of the simulated NATS servers: a stream whose appends name the last message of their subject, and KV buckets with revisions.
import { JetStreamApiError } from '@nats-io/jetstream';

export type Stored = { seq: number; subject: string; standing: string; data: string };
type KvEntry = { key: string; revision: number; text: string | undefined };
type Publication = { subject: string; standing: string; data: string; id: string; after: number };
/** How much of the stream and of the buckets the answering server knows: an old leader does not know all. */
export type View = { seq: number; revision: number };
type AppendListener = (stored: Stored, from: string) => void;

export type StreamStore = {
  readonly lastSeq: number;
  readonly counts: { appends: number; bytes: number; refused: number };
  publish(publication: Publication, from: string): { seq: number };
  last(subject: string, view: View): Stored | undefined;
  next(subject: string, from: number, view: View): Stored | undefined;
  lastOfAll(): Stored[];
  since(seq: number): Stored[];
  /** Removes all messages of a subject but the last, and the last one's text: they are no longer read. */
  drop(subject: string): void;
  onAppend(listener: AppendListener): () => void;
};

const wrongLastSequence = 10071;
const duplicateWindowMs = 5 * 60_000;
const keptRevisions = 8;

/** `hasOrder: false` is a broken server, which takes appends after any other. */
export function createStreamStore(now: () => number, { hasOrder = true } = {}): StreamStore {
  /** Messages of dropped subjects are undefined. */
  const log: (Stored | undefined)[] = [];
  const subjects = new Map<string, Stored[]>();
  const ids = createKnownIds(now);
  const listeners = new Set<AppendListener>();
  const counts = { appends: 0, bytes: 0, refused: 0 };
  return {
    counts,
    get lastSeq() {
      return log.length;
    },
    publish({ subject, standing, data, id, after }, from) {
      const before = ids.find(id);
      if (before !== undefined) return { seq: before };
      const list = subjects.get(subject) ?? [];
      if (hasOrder && (list.at(-1)?.seq ?? 0) !== after) {
        counts.refused++;
        throw refusal(wrongLastSequence, `wrong last sequence: ${list.at(-1)?.seq ?? 0}`);
      }
      const stored: Stored = { seq: log.length + 1, subject, standing, data };
      log.push(stored);
      subjects.set(subject, list);
      list.push(stored);
      ids.note(id, stored.seq);
      counts.appends++;
      counts.bytes += subject.length + standing.length + data.length;
      for (const listener of listeners) listener(stored, from);
      return { seq: stored.seq };
    },
    last: (subject, view) => subjects.get(subject)?.findLast(({ seq }) => seq <= view.seq),
    next: (subject, from, view) => subjects.get(subject)?.find(({ seq }) => seq >= from && seq <= view.seq),
    lastOfAll: () => [...subjects.values()].flatMap((list) => list.slice(-1)).sort((a, b) => a.seq - b.seq),
    since: (seq) => log.slice(seq).filter((stored) => stored !== undefined),
    drop(subject) {
      const list = subjects.get(subject) ?? [];
      for (const { seq } of list.splice(0, list.length - 1)) log[seq - 1] = undefined;
      for (const last of list) last.data = '';
    },
    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A message that is sent again within the window is stored once. */
function createKnownIds(now: () => number): {
  find(id: string): number | undefined;
  note(id: string, seq: number): void;
} {
  const known = new Map<string, { seq: number; at: number }>();
  return {
    find: (id) => known.get(id)?.seq,
    note(id, seq) {
      for (const [old, { at }] of known) {
        if (at > now() - duplicateWindowMs) break;
        known.delete(old);
      }
      known.set(id, { seq, at: now() });
    },
  };
}

export type Buckets = {
  readonly revision: number;
  readonly counts: { reads: number; writes: Record<string, number> };
  get(bucket: string, key: string, view: View): KvEntry | undefined;
  /** `after`: only after this revision, 0 for none. */
  put(bucket: string, entry: { key: string; text: string | undefined; after?: number | undefined }): number;
  entries(bucket: string): KvEntry[];
  onPut(bucket: string, listener: (entry: KvEntry) => void): () => void;
};

export function createBuckets(): Buckets {
  const buckets = new Map<
    string,
    { keys: Map<string, KvEntry[]>; listeners: Set<(entry: KvEntry) => void> }
  >();
  const counts: Buckets['counts'] = { reads: 0, writes: {} };
  let last = 0;
  const bucketNamed = (name: string): NonNullable<ReturnType<typeof buckets.get>> => {
    const found = buckets.get(name) ?? { keys: new Map(), listeners: new Set() };
    buckets.set(name, found);
    return found;
  };
  return {
    counts,
    get revision() {
      return last;
    },
    get(bucket, key, view) {
      counts.reads++;
      return bucketNamed(bucket)
        .keys.get(key)
        ?.findLast(({ revision }) => revision <= view.revision);
    },
    put(bucket, { key, text, after }) {
      const { keys, listeners } = bucketNamed(bucket);
      const revisions = keys.get(key) ?? [];
      if (after !== undefined && (revisions.at(-1)?.revision ?? 0) !== after)
        throw refusal(wrongLastSequence, 'wrong last sequence');
      counts.writes[bucket] = (counts.writes[bucket] ?? 0) + 1;
      const entry: KvEntry = { key, revision: ++last, text };
      keys.set(key, [...revisions.slice(1 - keptRevisions), entry]);
      for (const listener of listeners) listener(entry);
      return entry.revision;
    },
    entries: (bucket) => [...bucketNamed(bucket).keys.values()].flatMap((revisions) => revisions.slice(-1)),
    onPut(bucket, listener) {
      const { listeners } = bucketNamed(bucket);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function refusal(code: number, description: string, status = 400): JetStreamApiError {
  return new JetStreamApiError({ code: status, err_code: code, description });
}
