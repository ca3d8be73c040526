// Puts new bytes at a place: temp file beside it → fsync → rename → directory fsync. A reader, a crash or a full disk sees the
// old file or the new one. Mode and owner stay; a file with several hard links is rewritten in place, behind a journal.
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { checkUnchanged, staleError } from './check-unchanged.ts';
import { errno, fault } from './fault.ts';
import { syncFd, writeAll } from './flush.ts';
import { rewriteInPlace } from './rewrite-in-place.ts';
import type { WriteRequest } from './write-request.ts';

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;

export async function writeFile(request: WriteRequest): Promise<BigIntStats> {
  const { place } = request;
  const old = place.stat;
  try {
    if (old !== undefined && old.nlink > 1n) return await rewriteInPlace(request);
    return await replace(request, old);
  } catch (error) {
    throw fault(error, place.asked);
  }
}

async function replace(request: WriteRequest, old: BigIntStats | undefined): Promise<BigIntStats> {
  const { place, signal } = request;
  const temp = place.parent.at(request.temp);
  const fd = openSync(temp, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, old === undefined ? 0o666 : 0o600);
  try {
    await writeAll(fd, request.bytes);
    if (old !== undefined) keepOwnerAndMode(fd, old);
    await syncFd(fd);
    signal.throwIfAborted();
    request.lock.hold(() => commit(request, temp));
    const stat = fstatSync(fd, { bigint: true });
    await syncFd(place.parent.fd);
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
  checkUnchanged(target, request.expected, place.asked);
  if (request.expected !== 'absent') {
    renameSync(temp, target);
    return;
  }
  try {
    // A link refuses to replace, so a file that appears at this very moment is not lost.
    linkSync(temp, target);
    unlinkSync(temp);
  } catch (error) {
    if (errno(error) === 'EEXIST') throw staleError(place.asked);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errno(error) ?? '')) throw error;
    renameSync(temp, target);
  }
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
