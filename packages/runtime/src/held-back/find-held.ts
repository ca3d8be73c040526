// Held-back files that are still in the quarantine: each slot with a list names the call and its files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { HeldBack } from '../process/held-back.ts';
import { lossyName } from '../workspace/byte-names.ts';
import { hasItem, isSlotId, slotsFolder } from '../workspace/quarantine/quarantine.ts';

/** Name of the list in a slot. */
export const heldListName = 'held.json';

export type HeldCall = { session: string; callId: string; at: string; held: HeldBack[] };

const Entry = z.object({ root: z.string(), session: z.string(), callId: z.string(), at: z.string() });

/** A line of the list; `temp` is the name beside the original path while the file is copied to another device. */
export const HeldListEntry = z.object({
  path: z.string(),
  change: z.enum(['new', 'changed']),
  why: z.string(),
  item: z.string(),
  temp: z.string(),
});
export type HeldListEntry = z.infer<typeof HeldListEntry>;

/** The newest first. */
export function findHeld(home: string, root: string): HeldCall[] {
  if (!existsSync(slotsFolder(home))) return [];
  return readdirSync(slotsFolder(home))
    .filter(isSlotId)
    .sort()
    .toReversed()
    .flatMap((slot) => heldInSlot(home, slot, root));
}

export function heldInSlot(home: string, slot: string, root: string): HeldCall[] {
  const folder = join(slotsFolder(home), slot);
  const list = readHeldList(folder);
  if (list.length === 0) return [];
  const entry = Entry.safeParse(readJson(join(folder, 'entry.json')));
  if (!entry.success || entry.data.root !== root) return [];
  const { session, callId, at } = entry.data;
  const heldFiles = list
    .map(({ path, change, why, item }) => ({
      path: lossyName(path),
      change,
      why,
      trash_id: `${slot}/${item}`,
    }))
    .filter(({ trash_id }) => hasItem(home, trash_id));
  return heldFiles.length === 0 ? [] : [{ session, callId, at, held: heldFiles }];
}

/** The last line about an item replaces earlier lines about it. */
export function readHeldList(folder: string): HeldListEntry[] {
  const path = join(folder, heldListName);
  if (!existsSync(path)) return [];
  const byItem = new Map<string, HeldListEntry>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const entry = HeldListEntry.safeParse(parse(line));
    if (entry.success) byItem.set(entry.data.item, entry.data);
  }
  return [...byItem.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function readJson(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

// A crash may have cut the last line.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
