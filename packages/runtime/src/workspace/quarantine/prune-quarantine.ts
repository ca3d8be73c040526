// Keeps the quarantine within its bounds: removes slots older than 14 days, then the largest until 1 GiB is left. Never removes the newest
// slot, one from the last hour, or one that is still promised. Runs once an hour, in small steps between other work.
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../../platform/database-lock.ts';
import { runInTurns } from '../../platform/steps.ts';
import type { CommitLock, SlotRow } from '../commit/commit-lock.ts';
import { Directory } from '../directory.ts';
import { diskBytes } from '../trees/disk-bytes.ts';
import { removeTreeInSteps } from '../trees/remove-tree.ts';
import { isSlotId, slotsFolder } from './quarantine.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

export const retention = { days: 14, bytes: 1024 ** 3, shortestMs: hourMs };

/** How often the quarantine is pruned. */
export const pruneEveryMs = hourMs;

export type Bounds = { days: number; bytes: number };

/** The ending of slots that are being removed, so that their items are no longer found. */
const removedEnding = '.removed';

/** How long content of this size can be promised to be stored, given the present use. */
export async function retentionFor(lock: CommitLock, diskBytes: number): Promise<number> {
  const promised = await lock.hold((ledger) => ledger.promisedBytes());
  const isRoom = promised + diskBytes <= retention.bytes;
  return isRoom ? retention.days * dayMs : retention.shortestMs;
}

type Quarantine = { home: string; lock: CommitLock; closing: AbortSignal };

/** Returns immediately when pruning is not due. */
export async function pruneWhenDue(quarantine: Quarantine, bounds: Bounds = retention): Promise<void> {
  const isDue = await quarantine.lock.hold((ledger) => ledger.isPruneDue(pruneEveryMs)).catch(() => false);
  if (isDue) await pruneQuarantine(quarantine, bounds);
}

/** Failures are retried another time: a full quarantine must not make a change fail. */
export async function pruneQuarantine(
  { home, lock, closing }: Quarantine,
  bounds: Bounds = retention,
): Promise<void> {
  try {
    const { slots, nowMs, halfRemoved } = await enterUnknown(home, lock);
    for (const name of halfRemoved) await removeSlot(home, name, closing);
    const sized: SizedSlot[] = [];
    for (const row of slots) {
      if (closing.aborted) return;
      sized.push({
        ...row,
        bytes: await runInTurns(diskBytes(join(slotsFolder(home), row.slot)), { signal: closing }),
      });
    }
    for (const slot of chooseRemovals(sized, nowMs, bounds)) {
      if (closing.aborted) return;
      await removeSlot(home, slot, closing);
      await lock.hold((ledger) => ledger.remove(slot));
    }
  } catch {
    // Pruning is retried in an hour.
  }
}

export type SizedSlot = SlotRow & { bytes: number };

export function chooseRemovals(
  slots: readonly SizedSlot[],
  nowMs: number,
  { days, bytes }: Bounds,
): string[] {
  const newest = slots.at(-1)?.seq;
  const free = slots.filter(
    ({ seq, bornMs, keepUntilMs }) => seq !== newest && nowMs - bornMs >= hourMs && keepUntilMs <= nowMs,
  );
  const old = free.filter(({ bornMs }) => nowMs - bornMs > days * dayMs);
  let total = sum(slots) - sum(old);
  const removed = old.map(({ slot }) => slot);
  // One large slot is removed before hundreds of small ones; among slots of about the same size, the oldest first.
  const rest = free.filter((slot) => !old.includes(slot));
  for (const slot of rest.toSorted((a, b) => sizeClass(b) - sizeClass(a) || a.seq - b.seq)) {
    if (total <= bytes) break;
    removed.push(slot.slot);
    total -= slot.bytes;
  }
  return removed;
}

function sizeClass({ bytes }: SizedSlot): number {
  return Math.ceil(Math.log2(bytes + 1));
}

function sum(slots: readonly SizedSlot[]): number {
  return slots.reduce((total, { bytes }) => total + bytes, 0);
}

// A slot without an entry is entered as new; an entry without a slot is dropped.
type KnownSlots = { slots: SlotRow[]; nowMs: number; halfRemoved: string[] };

async function enterUnknown(home: string, lock: CommitLock): Promise<KnownSlots> {
  const folder = slotsFolder(home);
  ensureFolder(folder);
  const names = readdirSync(folder);
  const present = names.filter(isSlotId).sort();
  return await lock.hold((ledger) => {
    const enteredSlots = new Set(ledger.slots().map(({ slot }) => slot));
    for (const slot of present) if (!enteredSlots.has(slot)) ledger.enter(slot, hourMs);
    const here = new Set(present);
    for (const slot of enteredSlots) if (!here.has(slot)) ledger.remove(slot);
    const halfRemoved = names.filter((name) => name.endsWith(removedEnding));
    return { slots: ledger.slots(), nowMs: ledger.nowMs(), halfRemoved };
  });
}

async function removeSlot(home: string, slot: string, signal: AbortSignal): Promise<void> {
  using slots = Directory.openRoot(slotsFolder(home));
  const gone = slot.endsWith(removedEnding) ? slot : `${slot}${removedEnding}`;
  if (gone !== slot) renameSync(slots.at(slot), slots.at(gone));
  await runInTurns(removeTreeInSteps(slots, gone), { signal });
}
