// The entry at a path, as far as needed to notice a change, and how reliable the times of a disk are.
import { type Stats, statfsSync } from 'node:fs';
import type { FileState } from '@codelab/protocol';
import { hasProc } from '../platform/system.ts';

export type TreeEntry = {
  type: FileState['type'];
  size: number;
  mode: number;
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
  /** Creation time; 0 where the disk does not record it. */
  bornMs: number;
  /** Space on the disk; less than `size` for a sparse file. */
  diskBytes: number;
  device: number;
  /** The target of a link. */
  target?: string;
};

/** A difference between two walks of a tree. */
export type TreeDifference = { path: string; before: TreeEntry | undefined; after: TreeEntry | undefined };

export function treeEntry(stat: Stats): TreeEntry {
  const { size, mode, ino, mtimeMs, ctimeMs, birthtimeMs: bornMs, dev: device } = stat;
  const type = stat.isFile()
    ? 'file'
    : stat.isDirectory()
      ? 'directory'
      : stat.isSymbolicLink()
        ? 'symlink'
        : 'other';
  const diskBytes = stat.blocks * 512;
  return { type, size, mode: mode & 0o7777, ino, mtimeMs, ctimeMs, bornMs, diskBytes, device };
}

/** For a folder only the mode counts: its entries are compared separately. */
export function isSameEntry(a: TreeEntry, b: TreeEntry): boolean {
  if (a.type !== b.type || a.mode !== b.mode) return false;
  if (a.type === 'directory') return true;
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

// The kernel's clock ticks every few milliseconds; some file systems count in seconds, or in steps of two.
export function grainOf(time: number): number {
  return time % 1000 === 0 ? 2000 : 10;
}

/** How reliable the times and counters of a disk are. */
export type DiskKind =
  /** Every byte that a process writes is counted, also through a mapped file, and nothing is copied without being written. */
  | 'counts'
  /** Only bytes passed to `write` are counted reliably. */
  | 'local'
  /** Times may be those of another machine, or of a moment when the process was waiting. */
  | 'remote';

const kinds: ReadonlyMap<number, DiskKind> = new Map([
  // ext2 to ext4, f2fs
  [0xef53, 'counts'],
  [0xf2f52010, 'counts'],
  // tmpfs, xfs, btrfs, overlay, zfs, bcachefs
  [0x01021994, 'local'],
  [0x58465342, 'local'],
  [0x9123683e, 'local'],
  [0x794c7630, 'local'],
  [0x2fc12fc1, 'local'],
  [0xca451a4e, 'local'],
]);

export function diskKindOf(root: string): DiskKind {
  // Without /proc the number may mean something else, and no process is inspected.
  if (!hasProc()) return 'local';
  return kinds.get(statfsSync(root).type >>> 0) ?? 'remote';
}

// Folders that tools fill and can fill again, by their usual names.
const names = new Set([
  ...['node_modules', 'bower_components', '.pnpm-store', '.venv', 'venv', '__pycache__', '.tox', '.nox'],
  ...['.mypy_cache', '.pytest_cache', '.ruff_cache', '.gradle', '.terraform', '.cache', '.next', '.nuxt'],
  ...['.parcel-cache', '.turbo', '.svelte-kit', '.direnv'],
]);

export function isBuildFolder(name: string): boolean {
  return names.has(name);
}
