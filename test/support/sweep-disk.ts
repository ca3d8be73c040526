// File systems in memory whose exact state can be saved and loaded. Inode numbers and times are restored with the content; copied files
// would have new ones, and recovery depends on them.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type Disk = Disposable & {
  path: string;
  mount(): void;
  unmount(): Promise<void>;
  /** Saving and loading need an unmounted disk. */
  save(image: string): void;
  load(image: string): void;
};

const sizeMiB = 24;

/** `image` is the file that holds the file system; `path` is where it appears. */
export function createDisk(image: string, path: string): Disk {
  run('truncate', '-s', `${sizeMiB}M`, image);
  run('mkfs.ext4', '-q', '-O', '^has_journal', '-E', 'root_owner=0:0', image);
  const device = run('losetup', '--find', '--show', image).trim();
  mkdirSync(path, { recursive: true });
  return {
    path,
    mount: () => void run('mount', '-o', 'noatime', device, path),
    unmount: () => unmount(path, device),
    save: (to) => void run('cp', '--sparse=always', image, to),
    // The same file is written over: it belongs to the device.
    load: (from) => void run('cp', '--sparse=never', from, image),
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', path]);
      spawnSync('losetup', ['--detach', device]);
    },
  };
}

/** Several disks as one state: the first holds the place where the next is mounted. */
export async function saveDisks(disks: readonly Disk[], image: string): Promise<void> {
  for (const disk of disks.toReversed()) await disk.unmount();
  for (const [i, disk] of disks.entries()) disk.save(`${image}.${i}`);
  for (const disk of disks) disk.mount();
}

export async function loadDisks(disks: readonly Disk[], image: string): Promise<void> {
  for (const disk of disks.toReversed()) await disk.unmount();
  for (const [i, disk] of disks.entries()) disk.load(`${image}.${i}`);
  for (const disk of disks) disk.mount();
}

/** Whether this machine allows creating file systems. */
export async function canMakeDisks(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-disk-'));
  try {
    using disk = createDisk(join(folder, 'image'), join(folder, 'mounted'));
    disk.mount();
    await disk.unmount();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// A killed process holds its files for a moment longer, and so does a mount namespace whose last process has ended: only when the kernel
// has released the file system, which writes to the device until its very end, may its image be written.
async function unmount(path: string, device: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { status, stderr } = spawnSync('umount', [path], { encoding: 'utf8' });
    const isUnmounted = status === 0 || stderr.includes('not mounted');
    if (isUnmounted && isFree(device)) return;
    if (tries === 1000) throw new Error(`${path} is still in use. ${stderr.trim()}`);
    await wait(10);
  }
}

/** A mounted file system holds its device exclusively, and an exclusive open fails until the file system is gone. */
function isFree(device: string): boolean {
  try {
    closeSync(openSync(device, constants.O_RDONLY | constants.O_EXCL));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false;
    throw error;
  }
}

function run(program: string, ...args: string[]): string {
  const ran = spawnSync(program, args, { encoding: 'utf8' });
  if (ran.error !== undefined) throw ran.error;
  if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}
