import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ClockReading, createLedger, openCommitLock } from '../commit/commit-lock.ts';
import { chooseRemovals, pruneWhenDue, type SizedSlot } from './prune-quarantine.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const never = new AbortController().signal;

describe('which slots go', () => {
  const now = 100 * day;
  /** Named after its size; promised for no longer than it has been kept, unless said otherwise. */
  const slot = (seq: number, ageMs: number, bytes: number, promisedMs = 0): SizedSlot => ({
    seq,
    slot: `s${seq}`,
    bornMs: now - ageMs,
    keepUntilMs: now - ageMs + promisedMs,
    bytes,
  });
  const bounds = { days: 14, bytes: 1000 };

  test('what is too old goes, then the largest until the rest fits', () => {
    const slots = [slot(1, 20 * day, 1), slot(2, 5 * day, 700), slot(3, 3 * day, 400), slot(4, day, 400)];
    expect(chooseRemovals(slots, now, bounds)).toEqual(['s1', 's2']);
  });

  test('one large slot goes before hundreds of small ones, even if they are older', () => {
    const small = Array.from({ length: 500 }, (_, i) => slot(i + 1, 5 * day, 1));
    const slots = [...small, slot(501, 2 * hour, 900), slot(502, 2 * hour, 1)];
    expect(chooseRemovals(slots, now, bounds)).toEqual(['s501']);
  });

  test('of about the same size the oldest goes, by the order they were made in', () => {
    const slots = [
      slot(1, 2 * hour, 400),
      slot(2, 5 * day, 410),
      slot(3, 3 * hour, 400),
      slot(4, 2 * hour, 1),
    ];
    expect(chooseRemovals(slots, now, bounds)).toEqual(['s1']);
  });

  test('the newest, what is under an hour old and what is promised stays, however large', () => {
    const slots = [slot(1, 30 * day, 5000, 31 * day), slot(2, hour / 2, 5000), slot(3, 30 * day, 5000)];
    expect(chooseRemovals(slots, now, bounds)).toEqual([]);
  });
});

describe('the age of a slot', () => {
  let clock: ClockReading;
  const open = () => createLedger(new DatabaseSync(':memory:'), () => clock);
  beforeEach(() => {
    clock = { boot: 'one', uptimeMs: 1000, wallMs: 1_000_000 };
  });

  test('counts the time that has passed, whatever the clock on the wall is set to', () => {
    const ledger = open();
    ledger.enter('a', hour);
    clock = { boot: 'one', uptimeMs: 1000 + 5000, wallMs: clock.wallMs + 15 * day };
    expect(ledger.nowMs()).toBe(5000);
    clock = { boot: 'one', uptimeMs: 1000 + 9000, wallMs: 0 };
    expect(ledger.nowMs()).toBe(9000);
  });

  test('grows by a day at most from one boot to the next, and never shrinks', () => {
    const ledger = open();
    ledger.enter('a', hour);
    clock = { boot: 'two', uptimeMs: 0, wallMs: clock.wallMs + 400 * day };
    expect(ledger.nowMs()).toBe(day);
    clock = { boot: 'three', uptimeMs: 0, wallMs: 0 };
    expect(ledger.nowMs()).toBe(day);
  });

  test('a promise that is given again is only ever extended, and counts while it stands', () => {
    const ledger = open();
    ledger.enter('a', 2 * hour, 100);
    ledger.enter('a', hour);
    expect(ledger.slots()).toEqual([{ seq: 1, slot: 'a', bornMs: 0, keepUntilMs: 2 * hour }]);
    expect(ledger.promisedBytes()).toBe(100);
    clock = { ...clock, uptimeMs: 1000 + 2 * hour };
    expect(ledger.promisedBytes()).toBe(0);
  });

  test('one caller in an hour prunes', () => {
    const ledger = open();
    expect([ledger.isPruneDue(hour), ledger.isPruneDue(hour)]).toEqual([true, false]);
    clock = { ...clock, uptimeMs: clock.uptimeMs + hour };
    expect(ledger.isPruneDue(hour)).toBe(true);
  });
});

describe('pruning', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'codelab-prune-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  test('slots that no ledger knows are kept for now, and what was half removed goes', async () => {
    for (const name of ['1-abc', '2-abc', '3-abc.removed']) {
      mkdirSync(join(home, 'trash', name), { recursive: true });
      writeFileSync(join(home, 'trash', name, '0'), Buffer.alloc(5000));
    }
    using lock = openCommitLock(home);
    await pruneWhenDue({ home, lock, closing: never }, { days: 0, bytes: 0 });
    expect(readdirSync(join(home, 'trash')).sort()).toEqual(['1-abc', '2-abc']);
    expect((await lock.hold((ledger) => ledger.slots())).map(({ slot }) => slot)).toEqual(['1-abc', '2-abc']);
  });

  test('entries whose slot is gone are dropped', async () => {
    using lock = openCommitLock(home);
    await lock.hold((ledger) => ledger.enter('9-abc', day));
    await pruneWhenDue({ home, lock, closing: never });
    expect(await lock.hold((ledger) => ledger.slots())).toEqual([]);
    expect(existsSync(join(home, 'trash'))).toBe(true);
  });
});
