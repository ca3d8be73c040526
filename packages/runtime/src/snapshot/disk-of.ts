// What the times and counters of a disk are worth.
import { statfsSync } from 'node:fs';

export type Disk =
  /** Every byte that a process writes is counted, also by way of a mapped file, and nothing is copied without being written. */
  | 'counts'
  /** Only what goes through `write` is counted for sure. */
  | 'local'
  /** Times may be those of another machine, or of a time when the process was waiting. */
  | 'remote';

const kinds: ReadonlyMap<number, Disk> = new Map([
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

export function diskOf(root: string): Disk {
  // Elsewhere the number means something else, and no process is looked at.
  if (process.platform !== 'linux') return 'local';
  return kinds.get(statfsSync(root).type >>> 0) ?? 'remote';
}
