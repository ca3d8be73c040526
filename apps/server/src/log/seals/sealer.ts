// Seals a log at the end of each turn, some seconds after other appends, when a session is deleted and when the process ends. Then the seal
// is synced, noted beside the key and sent to the anchors. Appends wait for none of it.
import { isAbsolute, relative, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type EventBody, ToolError } from '@codelab/protocol';
import { keyFolder, userName } from '@codelab/runtime';
import type { Anchor } from '../../config/anchor.ts';
import type { WalSyncs } from '../sqlite/database.ts';
import { type Statements, transactInTurns } from '../sqlite/statements.ts';
import { tellAnchors } from './anchors.ts';
import { type AuditKey, openAuditKey } from './audit-key.ts';
import { hashOfSeal, type Tombstone, type Written, writeSeal } from './seal.ts';
import { type NotedLog, noteSeal, realPath } from './seal-note.ts';

type DeletedBy = { who: string; via: string };

export type Sealing = {
  /** The folder of the key, unless the environment names one. */
  keys?: string;
  anchors?: readonly Anchor[];
  /** Called with a sentence when sealing or an anchor fails, once for each reason. Nothing else fails because of it. */
  onProblem?(text: string): void;
};

export type Sealer = {
  keys: string;
  noteAppend(bodies: readonly EventBody[]): void;
  /** Must be called within the transaction that deletes a session, before the deletion. The returned work is done after the transaction. */
  bury(session: string, by: DeletedBy | undefined): () => Promise<void>;
  /** Seals what this process has appended; `isBrief` leaves it to a later process when the last seal is not long ago. */
  finish(options: { isBrief: boolean }): Promise<void>;
};

type Store = { db: DatabaseSync; sql: Statements; file: string; home: string; syncs: WalSyncs };

const afterMs = 5000;
// Loading the cryptography costs a short command a tenth of its time, so only some of many commands in a row seal.
export const brief = { ms: 60_000, entries: 256 };

export function createSealer(store: Store, options: Sealing): Sealer {
  const { db, sql } = store;
  const writer = createSealWriter(store, options);
  const { noteAppend, finish } = scheduleSeals({
    seal: writer.seal,
    isOpen: () => db.isOpen,
    isRecent: async () => isRecent(sql),
  });
  return { keys: writer.keys, bury: writer.bury, noteAppend, finish };
}

type Scheduled = {
  seal(): Promise<void>;
  isOpen(): boolean;
  /** Whether the last seal is recent. */
  isRecent(): Promise<boolean>;
  /** Between two seals at the ends of turns. */
  leastMs?: number;
};

export function scheduleSeals({
  seal,
  isOpen,
  isRecent: isSealed,
  leastMs = 0,
}: Scheduled): Pick<Sealer, 'noteAppend' | 'finish'> {
  let isDirty = false;
  let isQueued = false;
  let timer: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let working: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    isQueued = false;
    isDirty = false;
    clearTimeout(timer);
    timer = undefined;
    lastAt = performance.now();
    if (isOpen()) await seal();
  }

  function start(): void {
    if (isQueued) return;
    isQueued = true;
    working = working.then(work);
  }

  function startSoon(): void {
    const left = lastAt + leastMs - performance.now();
    if (left <= 0) setImmediate(start);
    else setTimeout(start, left).unref();
  }

  return {
    noteAppend(bodies) {
      isDirty = true;
      if (bodies.some(({ type }) => type === 'turn.ended')) startSoon();
      else timer ??= setTimeout(start, afterMs).unref();
    },
    async finish({ isBrief }) {
      clearTimeout(timer);
      if (isDirty && !(isBrief && (await isSealed()))) start();
      await working;
    },
  };
}

type SealWriter = Pick<Sealer, 'keys' | 'bury'> & { seal(): Promise<void> };

/** Writes a seal of all changes, or of a deletion, and sends it to the anchors. */
function createSealWriter({ db, sql, file, home, syncs }: Store, options: Sealing): SealWriter {
  const { keys = keyFolder() } = options;
  const ownKey = keyFrom(keys, home);
  const tell = onceEach(options.onProblem);
  let before = entriesBefore(sql);

  async function settle(written: Written): Promise<void> {
    // The note must never know more than the disk: after a power failure the log would look cut.
    await syncs.aside();
    await tellOf({ file, keys, hashOf: (n) => hashOfSeal(db, n) }, written, { ...options, tell });
  }

  return {
    keys,
    async seal() {
      try {
        const key = ownKey();
        const written = await transactInTurns(db, () => writeSeal(db, key, { before: before ?? 0 }));
        before = undefined;
        if (written !== undefined) await settle(written);
      } catch (error) {
        tell(error);
      }
    },
    bury(session, by) {
      const tombstone = tombstoneOf(db, session, by);
      if (tombstone === undefined) return async () => undefined;
      let key: AuditKey;
      try {
        key = ownKey();
      } catch (error) {
        // An unsealed deletion would look like tampering with the log.
        if (sql.firstSeal.get() !== undefined) throw error;
        return async () => tell(error);
      }
      const written = writeSeal(db, key, { deleted: [tombstone], before: before ?? 0 });
      before = undefined;
      return async () => (written === undefined ? undefined : settle(written).catch(tell));
    },
  };
}

/** Notes a seal that is stored beside the key, and tells the anchors. */
export async function tellOf(
  noted: NotedLog,
  written: Written,
  { anchors = [], tell }: Pick<Sealing, 'anchors'> & { tell(error: unknown): void },
): Promise<void> {
  await noteSeal(noted, written);
  if (anchors.length > 0) await tellAnchors(noted, written, { anchors, tell });
}

export function onceEach(onProblem: Sealing['onProblem']): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    if (!reported.has(text)) onProblem?.(`The audit record: ${text}`);
    reported.add(text);
  };
}

export function keyFrom(keys: string, home: string): () => AuditKey {
  let key: AuditKey | undefined;
  return () => {
    if (key === undefined) refuseInside(keys, home);
    key ??= openAuditKey(keys, { make: true });
    if (key !== undefined) return key;
    throw new ToolError('IO_ERROR', `There is no key in ${keys}. Name another folder in CODELAB_KEYS.`);
  };
}

function tombstoneOf(db: DatabaseSync, session: string, by?: DeletedBy): Tombstone | undefined {
  const head = db.prepare('SELECT seq, hash FROM heads WHERE session = ?').get(session);
  if (head === undefined) return undefined;
  const { who, via } = by ?? { who: userName(), via: 'codelab' };
  return { session, entries: Number(head.seq), hash: String(head.hash), who, via, time: Date.now() };
}

/** The entries of a log without seals. A damaged log must open all the same, so that it can be verified. */
function entriesBefore(sql: Statements): number | undefined {
  try {
    return sql.firstSeal.get() === undefined ? positionIn(sql) : undefined;
  } catch {
    return undefined;
  }
}

function isRecent(sql: Statements): boolean {
  try {
    return isJustSealed(sql);
  } catch {
    // Sealing fails as well then, and reports why.
    return false;
  }
}

function isJustSealed(sql: Statements): boolean {
  const last = sql.lastSeal.get();
  if (last === undefined) return false;
  const age = Math.abs(Date.now() - Number(last.time));
  return age < brief.ms && positionIn(sql) - Number(last.at) < brief.entries;
}

function positionIn(sql: Statements): number {
  return Number(sql.position.get()?.at ?? 0);
}

/** A key in the state folder would be in reach of anyone who can rewrite the record. */
function refuseInside(keys: string, home: string): void {
  const way = relative(realPath(home), realPath(keys));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  throw new ToolError(
    'INVALID_PATH',
    `the key's folder ${keys} lies in the state folder, so nothing is signed. Name one outside of it in CODELAB_KEYS.`,
  );
}
