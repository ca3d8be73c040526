// Puts new bytes at a place: temp file beside it → fsync → rename → directory fsync. A reader, a crash or a full disk sees the
// old file or the new one. Mode and owner stay: a file with several hard links, or one that is somebody else's, is rewritten in
// place, behind a journal.
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { checkUnchanged, staleError } from './check-unchanged.ts';
import { errno, fault } from './fault.ts';
import { flushDirectory, syncFd, writeAll } from './flush.ts';
import { moveWithoutReplacing } from './move-without-replacing.ts';
import { rewriteInPlace } from './rewrite-in-place.ts';
import type { WriteRequest } from './write-request.ts';

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;

export async function writeFile(request: WriteRequest): Promise<BigIntStats> {
  const { place } = request;
  const old = place.stat;
  try {
    if (old !== undefined && (old.nlink > 1n || !canGiveAway(old))) return await rewriteInPlace(request);
    return await replace(request, old);
  } catch (error) {
    throw fault(error, place.asked);
  }
}

async function replace(request: WriteRequest, old: BigIntStats | undefined): Promise<BigIntStats> {
  const { place, signal } = request;
  const temp = place.parent.at(request.temp);
  // A rename would get round the file's own mode.
  if (old !== undefined) accessSync(place.parent.at(place.name), constants.W_OK);
  const fd = openSync(temp, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, old === undefined ? 0o666 : 0o600);
  try {
    await writeAll(fd, request.bytes);
    if (old !== undefined) keepOwnerAndMode(fd, old);
    await syncFd(fd);
    signal.throwIfAborted();
    request.lock.hold(() => commit(request, temp));
    const stat = fstatSync(fd, { bigint: true });
    await flushDirectory(place.parent.fd, place.asked);
    return stat;
  } catch (error) {
    removeQuietly(temp);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function commit(request: WriteRequest, temp: string): void {
  const { place } = request;
  const target = place.parent.at(place.name);
  place.parent.verify();
  checkUnchanged(target, request.expected, place.asked);
  if (request.expected !== 'absent') {
    renameSync(temp, target);
    return;
  }
  try {
    moveWithoutReplacing(temp, target);
  } catch (error) {
    throw errno(error) === 'EEXIST' ? staleError(place.asked) : error;
  }
}

/** Could a file of ours be made to belong to whom this one belongs to? */
function canGiveAway(old: BigIntStats): boolean {
  const uid = process.geteuid?.() ?? 0;
  if (uid === 0) return true;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return Number(old.uid) === uid && groups.includes(Number(old.gid));
}

function keepOwnerAndMode(fd: number, old: BigIntStats): void {
  const fresh = fstatSync(fd, { bigint: true });
  let mode = Number(old.mode & 0o7777n);
  if (fresh.uid !== old.uid || fresh.gid !== old.gid) {
    try {
      fchownSync(fd, Number(old.uid), Number(old.gid));
    } catch {
      // The owner cannot be kept without privilege; then the bits that lend the owner's rights must not be kept either.
      mode &= 0o0777;
    }
  }
  fchmodSync(fd, mode);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already renamed, or never made.
  }
}
