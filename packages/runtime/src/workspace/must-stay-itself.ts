// Which files are rewritten in place instead of being replaced.
import { lstatSync } from 'node:fs';
import type { Change } from './change.ts';

type Put = Extract<Change, { op: 'put' }>;

/** A file with several names, or one whose owner could not be kept: another file in its place would not be the same. */
export function mustStayItself(target: string, { isReplacing }: Pick<Put, 'isReplacing'>): boolean {
  const now = lstatSync(target, { throwIfNoEntry: false });
  return now?.isFile() === true && ((now.nlink > 1 && !isReplacing) || !canGiveAway(now));
}

/** Could a file of ours be made to belong to whom this one belongs to? */
function canGiveAway({ uid, gid }: { uid: number; gid: number }): boolean {
  const own = process.geteuid?.() ?? 0;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return own === 0 || (uid === own && groups.includes(gid));
}
