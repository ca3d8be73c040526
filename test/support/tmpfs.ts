// A small file system in memory at a separate path, for disks that are full, out of inodes or read-only.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Tmpfs = Disposable & { path: string; remount(options: string): void };

export function mountTmpfs(path: string, options: string): Tmpfs {
  mkdirSync(path, { recursive: true });
  mount(['-t', 'tmpfs', '-o', `${options},mode=755`, 'codelab-test', path]);
  return {
    path,
    remount: (options) => mount(['-o', `remount,${options}`, path]),
    [Symbol.dispose]: () => void spawnSync('umount', ['-l', path]),
  };
}

/** Whether this machine allows mounting. */
export function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'codelab-mount-'));
  try {
    using _mounted = mountTmpfs(path, 'size=64k');
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** Writes into a file until the disk is full. Returns the file. */
export function fillDisk(folder: string): string {
  const file = join(folder, 'filler');
  const fd = openSync(file, 'a');
  try {
    for (let size = 1 << 20; size >= 1; ) {
      try {
        writeSync(fd, Buffer.alloc(size));
      } catch {
        size >>= 1;
      }
    }
  } finally {
    closeSync(fd);
  }
  return file;
}

function mount(args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
}
