// One writer at a time, across processes, between the check that the approved state still holds and the rename. Uses SQLite's file lock,
// which the kernel releases when its holder dies. The same file holds the quarantine's ledger, so a slot is entered at the moment its first
// item is stored.
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { beginInTurns, ensureFolder, useWriteAhead } from '../../platform/database-lock.ts';
import { readProc } from '../../platform/system.ts';
import { isDamage, stateFault } from '../fault.ts';

/** The work itself runs without yielding; waiting for other writers leaves the event loop free. */
export type CommitLock = Disposable & { hold<T>(work: (ledger: Ledger) => T): Promise<T> };

const longestWaitMs = 5000;

export function openCommitLock(home: string): CommitLock {
  let opened: Opened | undefined;
  return {
    async hold(work) {
      opened ??= open(home);
      const { db, ledger } = opened;
      let hasBegun = false;
      try {
        return await beginInTurns(db, longestWaitMs, () => {
          hasBegun = true;
          try {
            return work(ledger);
          } finally {
            finish(db);
          }
        });
      } catch (error) {
        if (hasBegun) throw error;
        throw isDamage(error) ? damagedLock(error, home) : (stateFault(error, home) ?? stuck(error));
      }
    },
    [Symbol.dispose]: () => opened?.db.close(),
  };
}

type Opened = { db: DatabaseSync; ledger: Ledger };

function open(home: string): Opened {
  try {
    return openLedger(home);
  } catch (error) {
    if (isDamage(error)) throw damagedLock(error, home);
    throw stateFault(error, home) ?? error;
  }
}

function damagedLock(error: Error, home: string): ToolError {
  const text = `${join(home, 'commit.lock')} is damaged: ${error.message}. End all CodeLab processes and delete it: what it holds is made again.`;
  return new ToolError('IO_ERROR', text);
}

function stuck(error: unknown): ToolError {
  const text = `Another CodeLab process is stuck while writing (${String(error)}). Nothing was changed; try again.`;
  return new ToolError('IO_ERROR', text);
}

function openLedger(home: string): Opened {
  ensureFolder(home);
  const db = new DatabaseSync(join(home, 'commit.lock'), { timeout: longestWaitMs });
  try {
    useWriteAhead(db);
    // Nothing here needs to survive a power failure: unknown slots are entered again.
    db.exec('PRAGMA synchronous = OFF');
    return { db, ledger: createLedger(db) };
  } catch (error) {
    // The next call opens it again; its descriptors must not be held until then.
    db.close();
    throw error;
  }
}

// Entries stay even when the work failed: a slot that exists must be known. A failing ledger must not fail a change that was made: the slot
// is entered at the next inspection.
function finish(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('COMMIT');
  } catch {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}

// The slots of the quarantine in order of creation, how long each is promised to be stored, and its age. Age counts elapsed time: setting
// the clock forward must not empty the quarantine, and setting it back must not keep it for ever.
export type SlotRow = { seq: number; slot: string; bornMs: number; keepUntilMs: number };

/** `nowMs`, `bornMs` and `keepUntilMs` are counted time, not clock time. */
type Ledger = {
  nowMs(): number;
  /** Enters a slot, or extends the promise of an existing one. `promisedBytes` count against the total of promises. */
  enter(slot: string, promisedMs: number, promisedBytes?: number): void;
  /** The bytes that are promised to be stored now. */
  promisedBytes(): number;
  /** Oldest first. */
  slots(): SlotRow[];
  remove(slot: string): void;
  /** True for one caller each time this much counted time has passed. Never throws, since it is called during a change. */
  isPruneDue(everyMs: number): boolean;
};

const dayMs = 24 * 60 * 60 * 1000;

const tables = `
  CREATE TABLE IF NOT EXISTS slots (seq INTEGER PRIMARY KEY AUTOINCREMENT, slot TEXT UNIQUE NOT NULL, born_ms INTEGER NOT NULL, keep_until_ms INTEGER NOT NULL, promised_bytes INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), counted_ms INTEGER NOT NULL, boot TEXT NOT NULL, uptime_ms INTEGER NOT NULL, wall_ms INTEGER NOT NULL, pruned_ms INTEGER);
`;

type ClockRow = {
  counted_ms: number;
  boot: string;
  uptime_ms: number;
  wall_ms: number;
  pruned_ms: number | null;
};

export type ClockReading = { boot: string; uptimeMs: number; wallMs: number };

export function createLedger(db: DatabaseSync, read: () => ClockReading = readClocks): Ledger {
  let isReady = false;
  const prepare = (): DatabaseSync => {
    if (!isReady) db.exec(tables);
    isReady = true;
    return db;
  };
  const advance = (): ClockRow => advanceClock(prepare(), read());

  return {
    nowMs: () => advance().counted_ms,
    enter(slot, promisedMs, promisedBytes = 0) {
      const now = advance().counted_ms;
      db.prepare(
        `INSERT INTO slots (slot, born_ms, keep_until_ms, promised_bytes) VALUES (?, ?, ?, ?) ON CONFLICT (slot) DO UPDATE
         SET keep_until_ms = max(keep_until_ms, excluded.keep_until_ms), promised_bytes = max(promised_bytes, excluded.promised_bytes)`,
      ).run(slot, now, now + promisedMs, promisedBytes);
    },
    promisedBytes() {
      const now = advance().counted_ms;
      const sum = db
        .prepare('SELECT total(promised_bytes) AS bytes FROM slots WHERE keep_until_ms > ?')
        .get(now);
      return Number(sum?.bytes ?? 0);
    },
    slots: () =>
      prepare()
        .prepare('SELECT seq, slot, born_ms AS bornMs, keep_until_ms AS keepUntilMs FROM slots ORDER BY seq')
        .all() as SlotRow[],
    remove(slot) {
      prepare().prepare('DELETE FROM slots WHERE slot = ?').run(slot);
    },
    isPruneDue(everyMs) {
      try {
        const { counted_ms, pruned_ms } = advance();
        if (pruned_ms !== null && counted_ms - pruned_ms < everyMs) return false;
        db.prepare('UPDATE clock SET pruned_ms = ?').run(counted_ms);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Adds the time since the clock was last read. */
function advanceClock(db: DatabaseSync, now: ClockReading): ClockRow {
  const { boot, uptimeMs, wallMs } = now;
  const last = db.prepare('SELECT * FROM clock').get() as ClockRow | undefined;
  const counted_ms = (last?.counted_ms ?? 0) + (last === undefined ? 0 : passed(last, now));
  db.prepare(
    `INSERT INTO clock VALUES (1, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
     SET counted_ms = excluded.counted_ms, boot = excluded.boot, uptime_ms = excluded.uptime_ms, wall_ms = excluded.wall_ms`,
  ).run(counted_ms, boot, uptimeMs, wallMs, last?.pruned_ms ?? null);
  return { counted_ms, boot, uptime_ms: uptimeMs, wall_ms: wallMs, pruned_ms: last?.pruned_ms ?? null };
}

/** Within one boot the system counts without gaps. Across boots only the wall clock is left, which is trusted for a day at most. */
function passed(last: ClockRow, now: ClockReading): number {
  if (now.boot !== '' && now.boot === last.boot) return Math.max(0, now.uptimeMs - last.uptime_ms);
  return Math.min(dayMs, Math.max(0, now.wallMs - last.wall_ms));
}

function readClocks(): ClockReading {
  return { boot: bootId(), uptimeMs: Math.round(uptime() * 1000), wallMs: Date.now() };
}

let knownBoot: string | undefined;

function bootId(): string {
  knownBoot ??= readProc('sys/kernel/random/boot_id')?.trim() ?? '';
  return knownBoot;
}

// A process that can't be inspected may only have been paused when its call was settled as dead. It finds a note under the lock before it
// changes anything, and leaves the files alone.
const settledEnding = '.settled';
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** Must run under the commit lock, before anything is recovered. `slot` names the call. */
export function noteSettled(home: string, slot: string): void {
  ensureFolder(settledFolder(home));
  for (const name of readdirSync(settledFolder(home)))
    if (name.endsWith(settledEnding)) removeOld(join(settledFolder(home), name));
  writeFileSync(join(settledFolder(home), `${slot}${settledEnding}`), '', { mode: 0o600 });
}

/** Must run under the commit lock, before anything is changed. */
export function refuseSettled(home: string, slot: string): void {
  if (!existsSync(join(settledFolder(home), `${slot}${settledEnding}`))) return;
  const text =
    'This call was paused for so long that it was settled as interrupted. Nothing was changed; call again.';
  throw new ToolError('CANCELLED', text);
}

function removeOld(file: string): void {
  const { mtimeMs } = statSync(file);
  if (Math.abs(Date.now() - mtimeMs) > keptMs) rmSync(file, { force: true });
}

function settledFolder(home: string): string {
  return join(home, 'owners');
}
