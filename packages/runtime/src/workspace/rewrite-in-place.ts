// Rewrites a file that has several names (hard links) without splitting them. It cannot be swapped by a rename, so its old
// bytes go to a journal first; a crash or a full disk in the middle is undone from there.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { mkdir, rename, rm, writeFile as writePlain } from 'node:fs/promises';
import { join } from 'node:path';
import type { Owner } from '@codelab/protocol';
import { checkUnchanged } from './check-unchanged.ts';
import { digest } from './digest.ts';
import { syncFd, writeAll } from './flush.ts';
import { isAlive, thisProcess } from './process-identity.ts';
import { readOpen } from './read-bytes.ts';
import { Workspace } from './workspace.ts';
import type { WriteRequest } from './write-request.ts';

const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants;

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
  const { place, bytes, signal } = request;
  const fd = openSync(place.parent.at(place.name), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd, { bigint: true });
    checkUnchanged(place.parent.at(place.name), request.expected, place.asked);
    const file = { fd, stat, [Symbol.dispose]: () => undefined };
    const old = await readOpen(file, place.asked, Number.MAX_SAFE_INTEGER);
    const journal = await keepOldBytes(request, stat, old);
    signal.throwIfAborted();
    try {
      await overwrite(fd, bytes);
    } catch (error) {
      await overwrite(fd, old);
      throw error;
    } finally {
      await rm(journal, { force: true });
    }
    return fstatSync(fd, { bigint: true });
  } finally {
    closeSync(fd);
  }
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
    const entry: Entry = JSON.parse(readFileSync(file, 'utf8'));
    if (entry.root !== root || isAlive(entry.owner)) continue;
    await putBack(entry);
    await rm(file, { force: true });
    mended.push(entry.path);
  }
  return mended;
}

async function putBack(entry: Entry): Promise<void> {
  using workspace = Workspace.open(entry.root);
  using place = workspace.locate(entry.path, { followLast: false, pathChars: 4096 });
  if (String(place.stat?.dev) !== entry.dev || String(place.stat?.ino) !== entry.ino) return;
  const old = Buffer.from(entry.bytes, 'base64');
  if (digest(old) !== entry.digest) return;
  const fd = openSync(place.parent.at(place.name), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  try {
    await overwrite(fd, old);
  } finally {
    closeSync(fd);
  }
}

// Written over before it is cut, so that a full disk never costs blocks the old content needs.
async function overwrite(fd: number, bytes: Buffer): Promise<void> {
  await writeAll(fd, bytes);
  ftruncateSync(fd, bytes.length);
  await syncFd(fd);
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
