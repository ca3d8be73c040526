// Steps that make a change last: folders made, names moved without replacing another, and everything synced.
import {
  closeSync,
  constants,
  fchmodSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { type Effect, ToolError } from '@codelab/protocol';
import type { Directory } from '../directory.ts';
import { errno, fault } from '../fault.ts';
import type { Located } from '../locate.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Making sure that what was written is on the disk, without holding up the event loop. */
export const syncFd: (fd: number) => Promise<void> = promisify(fsync);

/** Makes the names in a directory durable, after they have changed: when this fails, the change is made all the same. */
async function flushDirectory(fd: number, asked: string): Promise<void> {
  try {
    await syncFd(fd);
  } catch (error) {
    const text = `${asked} was changed, but the disk does not confirm it (${errno(error)}). Look at it before going on.`;
    throw new ToolError('OUTCOME_UNKNOWN', text, { errno: errno(error) });
  }
}

/** A change that was made: the folders whose names it changed. */
type ChangedNames = {
  change: { intent: Effect };
  place: Pick<Located, 'parent'>;
  from: Pick<Located, 'parent'> | undefined;
  above: Directory | undefined;
};

/** Each folder once, however many names in it have changed. */
export async function syncParents(staged: readonly ChangedNames[]): Promise<void> {
  const done = new Set<string>();
  for (const { change, place, from, above } of staged) {
    for (const directory of [place.parent, above, from?.parent]) {
      if (directory === undefined || done.has(directory.real)) continue;
      done.add(directory.real);
      await flushDirectory(directory.fd, change.intent.path);
    }
  }
}

// Makes the folders a new file needs, one below the other by descriptor; whatever was made is removed again unless it is kept.

/** `left`: what was made and could not be removed again. */
export type Parents = Disposable & { place: Located; left: readonly string[]; keep(): void };

type Modes = ReadonlyMap<string, number>;

/** The modes that the folders of a set are made with, by their paths. */
export function modesOfNew(intents: readonly Effect[]): Modes {
  const made = intents.filter(({ op }) => op === 'mkdir');
  return new Map(made.map(({ path, after }) => [path, modeToFill(after?.mode ?? defaultMode())]));
}

export function makeParents(asked: Located, modes: Modes): Parents {
  const opened: Directory[] = [];
  const made: { parent: Directory; name: string; path: string }[] = [];
  const left: string[] = [];
  let isKept = false;
  const undo = (): void => {
    if (!isKept)
      for (const { parent, name, path } of made.toReversed()) if (!isRemoved(parent, name)) left.push(path);
    for (const directory of opened) directory[Symbol.dispose]();
  };
  try {
    let parent = asked.parent;
    for (const [i, name] of asked.missing.entries()) {
      const path = pathOfMissing(asked, i);
      const mode = modes.get(path) ?? defaultMode();
      const isNew = makeOne(parent, name, mode);
      if (isNew) made.push({ parent, name, path });
      parent = parent.openBelow(name);
      opened.push(parent);
      if (isNew && (mode & ~defaultMode()) !== 0) fchmodSync(parent.fd, mode);
    }
    const stat =
      asked.missing.length === 0
        ? asked.stat
        : lstatSync(parent.at(asked.name), { bigint: true, throwIfNoEntry: false });
    const place: Located = { ...asked, parent, missing: [], stat };
    return { place, left, keep: () => (isKept = true), [Symbol.dispose]: undo };
  } catch (error) {
    undo();
    throw fault(error, asked.asked);
  }
}

function makeOne(parent: Directory, name: string, mode: number): boolean {
  try {
    mkdirSync(parent.at(name), { mode });
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The mode that a new folder has. */
export function defaultMode(): number {
  return 0o777 & ~process.umask();
}

/** The mode that a folder is made with: its own, and what we need to fill it. Whom it keeps out never gets in meanwhile. */
export function modeToFill(mode: number): number {
  return mode | 0o700;
}

/** When somebody has put something in, it is theirs now. */
function isRemoved(parent: Directory, name: string): boolean {
  try {
    rmdirSync(parent.at(name));
    return true;
  } catch (error) {
    return errno(error) === 'ENOENT';
  }
}

function pathOfMissing({ path, name, missing }: Located, at: number): string {
  const below = missing.length - 1 - at + (name === '.' ? 0 : 1);
  return path
    .split('/')
    .slice(0, -below || undefined)
    .join('/');
}

// Gives a file another name, but never in the place of something: a link refuses to replace what appears at this very moment.

// File systems without hard links, and files that may not have another.
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Throws EEXIST when something is there. A crash in between leaves both names, which recovery completes. With `left`, the old name
 * becomes that one in the same step; without links, a file of that name says that the move was begun.
 */
export function moveWithoutReplacing(source: string, target: string, left?: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!noLinks.includes(errno(error) ?? '')) throw error;
    if (left !== undefined) writeFileSync(left, '', { flag: 'wx', mode: 0o600 });
    renameSync(source, target);
    return;
  }
  try {
    if (left === undefined) unlinkSync(source);
    else renameSync(source, left);
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
}

export async function syncFile(path: string): Promise<void> {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    await syncFd(fd);
  } finally {
    closeSync(fd);
  }
}

// A file with several names can't be swapped without splitting them. It is written over before it is cut, so that a full disk
// never costs blocks the old content needs; its copy in the quarantine is what a failure or a crash is mended from.
export function overwrite(target: string, bytes: Buffer, mode?: number, isSynced = true): void {
  const fd = openSync(target, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
    ftruncateSync(fd, bytes.length);
    if (mode !== undefined) fchmodSync(fd, mode);
    if (isSynced) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
