// Copies files before a command runs when nothing else has their content: as much as the budget allows, small files first.
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { digest } from '../platform/digest.ts';
import { createPauses } from '../platform/steps.ts';
import { hasDescriptorPaths } from '../platform/system.ts';
import type { RunContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import type { Located } from '../workspace/locate.ts';
import { openSlot } from '../workspace/quarantine/quarantine.ts';
import { removeTree } from '../workspace/trees/tree.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { TreeEntry } from './tree-entry.ts';

export type CopyBudget = { ms: number; bytes: number; files: number };
/** `effects` is how many changes are recorded: they are one entry of the log, some 300 bytes each, which screens and undo read whole. */
export type WatchBudget = { copy: CopyBudget; walk: { entries: number; ms: number }; effects?: number };

export const defaultBudget: Required<WatchBudget> = {
  copy: { ms: 300, bytes: 64 * 1024 * 1024, files: 20_000 },
  walk: { entries: 100_000, ms: 2000 },
  effects: 10_000,
};

type KeepOptions = {
  workspace: Workspace;
  files: readonly (readonly [string, TreeEntry])[];
  budget: CopyBudget;
  /** Files that are copied before others, in this order, however long it takes. */
  first: readonly ((path: string) => boolean)[];
  slot(): Directory;
  item(): string;
};

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const largeBytes = 512 * 1024;

/** The item that holds each path. Missing paths could not be copied, or exceeded the budget. */
export async function keepBefore(options: KeepOptions): Promise<Map<string, string>> {
  const { workspace, files, budget, first, slot, item } = options;
  const items = new Map<string, string>();
  const pauses = createPauses();
  for (const [path, entry] of affordable(files, first, budget)) {
    if (pauses.workedMs() > budget.ms && !first.some((isFirst) => isFirst(path))) break;
    const name = item();
    if (await copyInto(workspace, path, entry, () => slot().at(name))) items.set(path, name);
    if (pauses.isDue()) await pauses.rest();
  }
  return items;
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

async function copyInto(
  workspace: Workspace,
  path: string,
  entry: TreeEntry,
  target: () => string,
): Promise<boolean> {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    await copy(place, entry, target());
    return true;
  } catch {
    // The file is unreadable or gone, or the disk is full: the result names it if the command changes it.
    return false;
  }
}

// Copies through the open file, so that a swapped-in link is not followed; where the disk supports it, the copy shares the blocks.
async function copy(place: Located, entry: TreeEntry, target: string): Promise<void> {
  const source = place.parent.at(place.name);
  const fd = openSync(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (stat.ino !== entry.ino || !stat.isFile()) throw new Error('swapped');
    const opened = hasDescriptorPaths(place.parent.fd) ? `/proc/self/fd/${fd}` : source;
    const flags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
    // Copying a small file takes less time than handing it to another thread.
    if (stat.size > largeBytes) await copyFile(opened, target, flags);
    else copyFileSync(opened, target, flags);
    chmodSync(target, entry.mode);
    utimesSync(target, stat.atime, stat.mtime);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
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
      if (!needed.has(item)) removeTree(keep.slot(), item);
    } catch {
      // It goes with its slot.
    }
    if (pauses.isDue()) await pauses.rest();
  }
}

/** False where the link could not be stored, for example on a full disk: that costs undo this one entry. */
export function keepLink(target: string, at: string): boolean {
  try {
    symlinkSync(target, at);
    return true;
  } catch {
    return false;
  }
}

const mostDigested = 16 * 1024 * 1024;

/** Nothing for a large copy, and where it has permissions with which its owner may not read it. */
export function digestOfCopy(at: string, size: number): { digest?: string } {
  try {
    return size > mostDigested ? {} : { digest: digest(readFileSync(at)) };
  } catch {
    return {};
  }
}
