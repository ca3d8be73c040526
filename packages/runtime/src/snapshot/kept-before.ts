// Copies files before a command runs when nothing else has their content: as much as the budget allows, small files first.
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPauses } from '../platform/steps.ts';
import { hasDescriptorPaths } from '../platform/system.ts';
import type { RunContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { errno, fault } from '../workspace/fault.ts';
import { openSlot, slotsFolder } from '../workspace/quarantine/quarantine.ts';
import { isStateFile, stateFolderError } from '../workspace/state-folder.ts';
import { removeTree } from '../workspace/trees/tree.ts';
import { isPackedCopy, mostPackedBytes, openCopyPack, packName, unpackCopy } from './packed-copies.ts';
import { openFolder } from './repositories.ts';
import type { TreeEntry } from './tree-entry.ts';

export type CopyBudget = { bytes: number; files: number };
/** `effects` is how many changes are recorded: they are one entry of the log, some 300 bytes each, which screens and undo read whole. */
export type WatchBudget = { copy: CopyBudget; walk: { entries: number; ms: number }; effects?: number };

export const defaultBudget: Required<WatchBudget> = {
  copy: { bytes: 64 * 1024 * 1024, files: 20_000 },
  walk: { entries: 100_000, ms: 2000 },
  effects: 10_000,
};

type KeepOptions = {
  root: Directory;
  files: readonly (readonly [string, TreeEntry])[];
  budget: CopyBudget;
  /** Files that are copied before others, in this order. */
  first: readonly ((path: string) => boolean)[];
  slot(): Directory;
  item(): string;
  /** A full disk is an error: nobody was asked about what cannot be copied. */
  isNeeded: boolean;
};

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** What holds the copy of each path, by `keptItem`. Missing paths could not be copied, or exceeded the budget. */
export async function keepBefore(options: KeepOptions): Promise<Map<string, string>> {
  const { root, files, budget, first, slot, item, isNeeded } = options;
  const items = new Map<string, string>();
  const pauses = createPauses();
  using pack = openCopyPack(slot);
  const chosen = Map.groupBy(affordable(files, first, budget), ([path]) => folderOf(path));
  for (const [folder, entries] of chosen) {
    using directory = folderAt(root, folder);
    if (directory === undefined) continue;
    for (const [path, entry] of entries) {
      try {
        const from = { directory, name: path.slice(path.lastIndexOf('/') + 1), entry };
        items.set(path, await copyOne(from, pack, () => ({ slot: slot(), item: item() })));
      } catch (error) {
        if (isNeeded && isDiskFull(error)) throw fault(error, 'the copies for undo, in the state folder');
        // The file is unreadable or gone, or the disk is full: the result names it if the command changes it.
      }
      if (pauses.isDue()) await pauses.rest();
    }
  }
  return items;
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes(errno(error) ?? '');
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function folderAt(root: Directory, folder: string): Directory | undefined {
  try {
    return openFolder(root, folder);
  } catch {
    // It is gone, or was replaced by a link.
    return undefined;
  }
}

type FileEntry = readonly [path: string, entry: TreeEntry];

/** The files that the budget suffices for, in the order in which they are copied. */
export function affordable(
  files: readonly FileEntry[],
  first: KeepOptions['first'],
  budget: CopyBudget,
): FileEntry[] {
  const rankOf = (path: string): number => {
    const rank = first.findIndex((isFirst) => isFirst(path));
    return rank < 0 ? first.length : rank;
  };
  const ordered = files
    .map((file) => ({ file, rank: rankOf(file[0]), size: file[1].size }))
    .sort((a, b) => a.rank - b.rank || a.size - b.size);
  const chosenFiles: FileEntry[] = [];
  let bytes = 0;
  for (const { file, size, rank } of ordered) {
    if (chosenFiles.length >= budget.files) break;
    if (bytes + size <= budget.bytes) {
      bytes += size;
      chosenFiles.push(file);
      // One large file among the first ones leaves the budget to the others.
    } else if (rank === first.length) break;
  }
  return chosenFiles;
}

type Source = { directory: Directory; name: string; entry: TreeEntry };

// Copies through the open file, so that a swapped-in link is not followed; where the disk supports it, a larger copy shares the blocks.
async function copyOne(
  { directory, name, entry }: Source,
  pack: ReturnType<typeof openCopyPack>,
  place: () => { slot: Directory; item: string },
): Promise<string> {
  const source = directory.at(name);
  const fd = openSync(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (Number(stat.ino) !== entry.ino || !stat.isFile()) throw new Error('swapped');
    if (directory.state !== undefined && stat.nlink > 1n && isStateFile(directory.state, stat))
      throw stateFolderError();
    directory.verifyEntry(name, stat);
    if (stat.size <= mostPackedBytes) return pack.add(fd, Number(stat.size));
    const { slot, item } = place();
    const opened = hasDescriptorPaths(directory.fd) ? `/proc/self/fd/${fd}` : source;
    await copyLarge(opened, slot.at(item), stat, entry.mode);
    return item;
  } finally {
    closeSync(fd);
  }
}

async function copyLarge(source: string, target: string, stat: BigIntStats, mode: number): Promise<void> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(target, mode);
    utimesSync(target, stat.atime, stat.mtime);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/** The item with the old content of a file; undefined where there is no complete copy. */
export function keptItem(
  keep: BeforeSlot,
  kept: Map<string, string>,
  path: string,
  entry: TreeEntry | undefined,
): string | undefined {
  const copy = kept.get(path);
  if (copy === undefined || entry === undefined || !isPackedCopy(copy)) return copy;
  const item = keep.item();
  if (unpackCopy(keep.slot(), copy, keep.slot().at(item), entry)) kept.set(path, item);
  else kept.delete(path);
  return kept.get(path);
}

/** Only once what is needed of them is in the log: until then a crash needs the copies themselves. */
export function removePackedCopies({ home, slot }: { home: string; slot: string }): void {
  rmSync(join(slotsFolder(home), slot, packName), { force: true });
}

// The quarantine slot of one call, created when its first item is.

// The slot is not pruned while the command runs.
const runningMs = 24 * 60 * 60 * 1000;

export type BeforeSlot = Disposable & {
  slot(): Directory;
  item(): string;
  /** Resolves when the slot, if there is one, is recorded in the ledger. */
  entered(): Promise<void>;
};

type KeepContext = Pick<RunContext, 'home' | 'slot' | 'session' | 'callId' | 'workspace' | 'lock'>;

/** `items` are already in the slot. */
export function openBeforeSlot(
  { home, slot, session, callId, workspace, lock }: KeepContext,
  items = 0,
): BeforeSlot {
  let opened: Directory | undefined;
  let entering: Promise<void> | undefined;
  let next = items;
  return {
    slot() {
      if (opened !== undefined) return opened;
      const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
      opened = openSlot(home, slot, entry);
      // A slot that cannot be recorded now is recorded when the slots are next scanned.
      entering = lock.hold((ledger) => ledger.enter(slot, runningMs)).catch(() => undefined);
      return opened;
    },
    item: () => String(next++),
    entered: async () => await entering,
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
      opened = undefined;
    },
  };
}

/** Removes copies that turned out unnecessary. */
export async function removeUnneeded(
  keep: BeforeSlot,
  items: readonly string[],
  needed: ReadonlySet<string | undefined>,
): Promise<void> {
  const pauses = createPauses();
  for (const item of items) {
    try {
      if (!needed.has(item) && !isPackedCopy(item)) removeTree(keep.slot(), item);
    } catch {
      // It goes with its slot.
    }
    if (pauses.isDue()) await pauses.rest();
  }
}
