// Whether something can be moved to the quarantine, or has to be copied there.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, statfsSync } from 'node:fs';
import type { Located } from './locate.ts';
import { slotsFolder } from './quarantine.ts';

const overlayfs = 0x794c7630;

/** A move needs the same device and the same mount of it. An overlay moves only the folders that were made in it, so none is counted on. */
export function isOtherDevice(home: string, { parent, stat }: Pick<Located, 'parent' | 'stat'>): boolean {
  const slots = slotsFolder(home);
  const fd = openSync(existsSync(slots) ? slots : home, 'r');
  try {
    if (fstatSync(fd).dev !== fstatSync(parent.fd).dev || mountOf(fd) !== mountOf(parent.fd)) return true;
  } finally {
    closeSync(fd);
  }
  return stat?.isDirectory() === true && statfsSync(parent.at('.')).type === overlayfs;
}

// Two mounts of one device, as containers have them, differ in nothing else.
function mountOf(fd: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
}
