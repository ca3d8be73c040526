// Rewrites a file that has several names (hard links) without splitting them. It cannot be swapped by a rename, so its old
// bytes go to a journal first; a crash or a full disk in the middle is undone from there.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { mkdir, rename, rm, writeFile as writePlain } from 'node:fs/promises';
import { join } from 'node:path';
import { type Owner, ToolError } from '@codelab/protocol';
import { staleError } from './check-unchanged.ts';
import { digest } from './digest.ts';
import { errno } from './fault.ts';
import { syncFd } from './flush.ts';
import { identity } from './identity.ts';
import { isAlive, thisProcess } from './process-identity.ts';
import { readOpen } from './read-bytes.ts';
import { Workspace } from './workspace.ts';
import type { WriteRequest } from './write-request.ts';

const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants;
const pieceBytes = 8 * 1024 * 1024;

type Entry = {
  owner: Owner;
  root: string;
  path: string;
  dev: string;
  ino: string;
  digest: string;
  bytes: string;
};

export async function rewriteInPlace(request: WriteRequest): Promise<BigIntStats> {
  const { place, signal } = request;
  const fd = openSync(place.parent.at(place.name), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd, { bigint: true });
    const file = { fd, stat, [Symbol.dispose]: () => undefined };
    const old = await readOpen(file, place.asked, Number.MAX_SAFE_INTEGER);
    const journal = await keepOldBytes(request, stat, old);
    try {
      signal.throwIfAborted();
      await exchange(fd, old, request);
    } catch (error) {
      // Torn, and the disk refuses the old bytes too: the journal stays, and the next start puts them back.
      if (!(error instanceof ToolError && error.code === 'OUTCOME_UNKNOWN'))
        await rm(journal, { force: true });
      throw error;
    }
    await rm(journal, { force: true });
    return fstatSync(fd, { bigint: true });
  } finally {
    closeSync(fd);
  }
}

// Under the lock, because two names of one file are two places to everybody else.
async function exchange(
  fd: number,
  old: Buffer,
  { place, bytes, expected, lock }: WriteRequest,
): Promise<void> {
  const written = lock.hold(() => {
    if (identityOf(fd) !== expected) throw staleError(place.asked);
    try {
      overwrite(fd, bytes);
      return identityOf(fd);
    } catch (error) {
      restore(fd, old, place.asked);
      throw error;
    }
  });
  try {
    await syncFd(fd);
  } catch (error) {
    lock.hold(() => {
      // Unless somebody has written it again since.
      if (identityOf(fd) === written) restore(fd, old, place.asked);
    });
    throw error;
  }
}

function restore(fd: number, old: Buffer, asked: string): void {
  try {
    overwrite(fd, old);
    fsyncSync(fd);
  } catch (error) {
    const text = `${asked} could be neither written nor restored (${errno(error)}). The next start puts its old content back.`;
    throw new ToolError('OUTCOME_UNKNOWN', text);
  }
}

function identityOf(fd: number): string {
  return identity(fstatSync(fd, { bigint: true }));
}

/** Puts back what a process that died in the middle had half overwritten. Returns the paths it mended. */
export async function recoverInPlace(home: string, root: string): Promise<string[]> {
  const folder = join(home, 'journal');
  const mended: string[] = [];
  for (const name of listQuietly(folder)) {
    const file = join(folder, name);
    if (!name.endsWith('.json')) {
      await rm(file, { force: true });
      continue;
    }
    const entry = readEntry(file);
    if (entry?.root !== root || isAlive(entry.owner)) continue;
    try {
      await putBack(entry);
    } catch (error) {
      // Out of reach now: kept until it can be put back, and no reason not to start.
      if (error instanceof ToolError) continue;
      throw error;
    }
    await rm(file, { force: true });
    mended.push(entry.path);
  }
  return mended;
}

// One that cannot be read is left for a human to look at.
function readEntry(file: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function putBack(entry: Entry): Promise<void> {
  using workspace = Workspace.open(entry.root);
  using place = workspace.locate(entry.path, { followLast: false, access: 'read', pathChars: 4096 });
  if (String(place.stat?.dev) !== entry.dev || String(place.stat?.ino) !== entry.ino) return;
  const old = Buffer.from(entry.bytes, 'base64');
  if (digest(old) !== entry.digest) return;
  const fd = openSync(place.parent.at(place.name), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  try {
    overwrite(fd, old);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

// Written over before it is cut, so that a full disk never costs blocks the old content needs.
function overwrite(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, Math.min(bytes.length - done, pieceBytes), done);
  ftruncateSync(fd, bytes.length);
}

async function keepOldBytes(request: WriteRequest, stat: BigIntStats, old: Buffer): Promise<string> {
  const folder = join(request.home, 'journal');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { place } = request;
  const entry: Entry = {
    owner: thisProcess(),
    root: request.root,
    path: place.path,
    dev: String(stat.dev),
    ino: String(stat.ino),
    digest: digest(old),
    bytes: old.toString('base64'),
  };
  const file = join(folder, `${request.temp}.json`);
  await writePlain(`${file}.new`, JSON.stringify(entry), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return file;
}

function listQuietly(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
