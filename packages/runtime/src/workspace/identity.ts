// Which file this is and which version of it: any change of content, mode, name count or replacement changes the text.
import type { BigIntStats } from 'node:fs';

export function identity(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mode}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** The same file with the same content, as far as its times tell. Another name for it (its kept self, for example) changes only `ctime`. */
export function isSameVersion(expected: string, stat: BigIntStats): boolean {
  return expected.slice(0, expected.lastIndexOf(':')) === identity(stat).slice(0, -`:${stat.ctimeNs}`.length);
}

/** The very same file or folder, whatever has become of its content. */
export function isSameInode(expected: string, { dev, ino }: BigIntStats): boolean {
  return expected.startsWith(`${dev}:${ino}:`);
}
