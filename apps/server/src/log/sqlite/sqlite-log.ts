// The session log in SQLite: appends in transactions that check the sequence, decisions and starts synced to disk.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ChangedAt,
  Damage,
  SessionEvent,
  SessionLog,
  SessionSummary,
  UnfinishedCall,
} from '@codelab/protocol';
import {
  type BlobStore,
  createBlobStore,
  damagedLog,
  isDamage,
  removeOutputs,
  removeReview,
  removeSessionTmp,
} from '@codelab/runtime';
import { type AnchorCheck, compareAnchors } from '../seals/compare-anchors.ts';
import type { Verified } from '../seals/proof.ts';
import { hashOfSeal, logIdIn } from '../seals/seal.ts';
import { createSealer, type Sealer, type Sealing } from '../seals/sealer.ts';
import { openWitness } from '../seals/witness.ts';
import { bellOf, type ChangeSignal, createChangeSignal } from './change-signal.ts';
import { type Checkpoints, createCheckpoints, createWalSyncs, openDatabase } from './database.ts';
import { deleteSession, removeLeftovers } from './delete-session.ts';
import { exportLines } from './export-lines.ts';
import { type AppendStore, groupAppends } from './group-appends.ts';
import {
  createKnownHeads,
  type KnownHeads,
  prepareStatements,
  readEvents,
  type Statements,
  storeFault,
} from './statements.ts';
import { type Store, verifyLog } from './verify-log.ts';

export type SqliteLog = SessionLog & {
  /** The first damage of one session, or of any. */
  verify(session?: string): Damage | undefined;
  /** The same, and what seals prove. */
  audit(session?: string): Verified;
  /** Whether the log has the seals of the anchors. */
  anchors(): Promise<AnchorCheck[]>;
  /** Entries, and with `seals` all seals, as lines that can be verified without this program; each ends with a line feed. */
  exportLines(sessions: readonly string[], options: { seals: boolean }): Generator<string>;
  /**
   * For a process that is about to end: a small write-ahead file is left to the next one, since a checkpoint costs two syncs. A large one
   * would be read again at every start, and checkpointed at every commit.
   */
  leave(): Promise<void>;
};

const leftBytes = 256 * 1024;
const followedChars = 4 * 1024 * 1024;

type Opened = {
  store: Store & AppendStore & { heads: KnownHeads };
  changes: ChangeSignal;
  checkpoints: Checkpoints;
  sealer: Sealer;
};

/** `elsewhere` is another database than the home's own; its long texts are beside it. Who follows is woken through the home. */
export function openSqliteLog(home: string, elsewhere?: string, sealing: Sealing = {}): SqliteLog {
  const { store, changes, checkpoints, sealer } = openStore(home, elsewhere, sealing);
  const { db, sql, file, syncs, heads } = store;
  const closing = new AbortController();
  const { append, flush } = groupAppends(store);
  const read = readEvents(store);

  const hasLeftovers = leftoversIn(store);
  // The rest can be removed at the next opening.
  if (hasLeftovers) removeLeftovers(store, closing.signal).catch(() => undefined);

  return {
    append(session, bodies, options) {
      const written = append(session, bodies, options);
      // The sealer's work runs after the transaction and is not awaited.
      sealer.noteAppend(bodies);
      return written;
    },
    read: async (session, options = {}) => read(session, options),
    subscribe: (session, { since, signal }) =>
      follow(changes, (last) => read(session, { since: last, maxChars: followedChars }), since, signal),
    ...listsOf(sql),
    async delete(session, by) {
      flush();
      heads.forget(session);
      const onGone = (): void => changes.tell({ file, session, seq: 0 });
      const bury = (id: string): (() => Promise<void>) => sealer.bury(id, by);
      await deleteSession(store, session, { bury, onGone, signal: closing.signal });
      await removeOutputs(home, session);
      await removeReview(home, session);
      await removeSessionTmp(home, session);
    },
    ...proofsOf(store, sealing),
    async leave() {
      flush();
      await sealer.finish({ isBrief: true });
      closing.abort();
      changes.close();
      if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > leftBytes) db.close();
    },
    async close() {
      flush();
      await sealer.finish({ isBrief: false });
      closing.abort();
      changes.close();
      await checkpoints.close();
      await syncs.close();
      db.close();
    },
  };
}

function openStore(home: string, elsewhere: string | undefined, sealing: Sealing): Opened {
  const file = elsewhere ?? join(home, 'sessions.db');
  const syncs = createWalSyncs(file);
  const db = openDatabase(file);
  const sql = prepareStatements(db);
  const heads = createKnownHeads(sql);
  const changes = createChangeSignal(home, () => sql.version.get()?.data_version);
  const checkpoints = createCheckpoints(file, sql);
  const sealer = createSealer({ db, sql, file, home, syncs }, sealing);
  let blobs: BlobStore | undefined;
  const store = {
    ...{ db, sql, file, syncs, heads, bell: bellOf(home), keys: sealer.keys, onWritten: checkpoints.note },
    get blobs() {
      blobs ??= createBlobStore(elsewhere === undefined ? join(home, 'blobs') : `${elsewhere}.blobs`);
      return blobs;
    },
    onCommit(written: ReadonlyMap<string, number>) {
      heads.note(written);
      const [session, seq] = [...written].at(-1) ?? ['', 0];
      changes.tell({ file, session, seq });
    },
  };
  return { store, changes, checkpoints, sealer };
}

function leftoversIn({ sql, file }: Store & { sql: Statements }): boolean {
  try {
    return sql.deleted.get() !== undefined || sql.unused.get() !== undefined;
  } catch (error) {
    throw isDamage(error) ? damagedLog(error, file, false) : storeFault(error, file);
  }
}

type Lists = Pick<SqliteLog, 'unfinished' | 'changed' | 'position' | 'sessions' | 'asking'>;

function listsOf(sql: Statements): Lists {
  return {
    unfinished: async (workspace) => sql.running.all(workspace) as UnfinishedCall[],
    changed: async (workspace, limit, before = Number.MAX_SAFE_INTEGER) =>
      sql.changed.all(workspace, before, limit) as ChangedAt[],
    position: async () => Number(sql.position.get()?.at ?? 0),
    sessions: async () => (sql.sessions.all() as SessionRow[]).map(summary),
    asking: async () => (sql.asking.all() as { session: string }[]).map(({ session }) => session),
  };
}

type Proofs = Pick<SqliteLog, 'prove' | 'verify' | 'audit' | 'anchors' | 'exportLines'>;

function proofsOf(store: Store, sealing: Sealing): Proofs {
  return {
    async prove(session, signal) {
      const { proveLog } = await import('./prove-log.ts');
      return await proveLog(store, session, signal);
    },
    verify: (session) => verifyLog(store, session).damage,
    audit: (session) => verifyLog(store, session),
    anchors() {
      const { anchors = [] } = sealing;
      const seals = { log: logIdIn(store.db), hashOf: (n: number) => hashOfSeal(store.db, n) };
      return compareAnchors(seals, { note: openWitness(store).note, anchors });
    },
    exportLines: (sessions, options) => exportLines(store, sessions, options),
  };
}

async function* follow(
  changes: ChangeSignal,
  readAfter: (seq: number) => SessionEvent[],
  since: number,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  using watch = changes.watch();
  for (let last = since; !signal.aborted; ) {
    // Subscribes before it reads, so that no append in between is missed.
    const next = watch.next(signal);
    const events = readAfter(last);
    yield* events;
    last = events.at(-1)?.seq ?? last;
    if (events.length === 0) await next;
  }
}

type SessionRow = {
  id: string;
  seq: number;
  hash: string;
  opened_at: number;
  last_at: number;
  workspace: string;
};

function summary(row: SessionRow): SessionSummary {
  return {
    id: row.id,
    head: { seq: row.seq, hash: row.hash },
    openedAt: row.opened_at,
    lastAt: row.last_at,
    workspace: row.workspace,
  };
}
