// Keeps the quarantine within its bounds: what is older than 14 days goes, then the oldest until 1 GiB is left. Looked at once an hour.
import { lstatSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgetKept, slotsFolder } from './quarantine.ts';

const hourMs = 60 * 60 * 1000;

type Bounds = { days: number; bytes: number };

const defaultBounds: Bounds = { days: 14, bytes: 1024 ** 3 };

/** Cheap when it is not due: one look at a file's time. */
export function pruneWhenDue(home: string, bounds: Bounds = defaultBounds, now: number = Date.now()): void {
  const marker = join(home, 'trash.pruned');
  const last = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now - last < hourMs) return;
  try {
    writeFileSync(marker, '', { mode: 0o600 });
    utimesSync(marker, now / 1000, now / 1000);
    prune(home, bounds, now);
  } catch {
    // Another time: keeping too much must not make a change fail.
  }
}

function prune(home: string, { days, bytes }: Bounds, now: number): void {
  const folder = slotsFolder(home);
  const slots = readdirSync(folder)
    .sort()
    .map((slot) => ({ slot, size: sizeOf(join(folder, slot)), age: now - Number(slot.split('-')[0]) }));
  let total = slots.reduce((sum, { size }) => sum + size, 0);
  for (const { slot, size, age } of slots) {
    if (age <= days * 24 * hourMs && total <= bytes) continue;
    forgetKept(home, slot);
    total -= size;
  }
}

function sizeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
