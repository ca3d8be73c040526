// An open directory and the names below it. With /proc a name is reached through the descriptor (`/proc/self/fd/N/name`), so the checked
// entry is the one used; elsewhere the path is used and the opened entry is verified afterwards.

import { isUtf8 } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { Pieces, Steps } from '../platform/steps.ts';
import { hasDescriptorPaths } from '../platform/system.ts';
import { errno } from './fault.ts';
import { isStateFolder, type StateFolder, stateFolderError } from './state-folder.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** A name of an entry; as bytes when it is not UTF-8. */
export type Name = string | Buffer;

/** The options of a directory and of everything that is opened below it. */
type DirectoryOptions = { portable: boolean; state: StateFolder | undefined };

export class Directory implements Disposable {
  readonly fd: number;
  /** Real path; used to reach names only where descriptors have no path of their own. */
  readonly real: string;
  /** The state folder, which is never entered from here. */
  readonly state: StateFolder | undefined;
  readonly #portable: boolean;
  readonly #holders: { count: number };
  #open = true;

  private constructor(
    fd: number,
    real: string,
    { portable, state }: DirectoryOptions,
    holders = { count: 0 },
  ) {
    this.fd = fd;
    this.real = real;
    this.state = state;
    this.#portable = portable;
    this.#holders = holders;
    holders.count++;
  }

  static openRoot(path: string, options: Partial<DirectoryOptions> = {}): Directory {
    const real = realpathSync(path);
    const fd = openSync(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const { portable = !hasDescriptorPaths(fd), state } = options;
    return new Directory(fd, real, { portable, state });
  }

  /** The path by which system calls reach `name` in this directory, wherever it is now. */
  at(name: string): string;
  at(name: Name): string | Buffer;
  at(name: Name): string | Buffer {
    if (typeof name !== 'string') return Buffer.concat([Buffer.from(`${this.at('.')}/`), name]);
    return this.#portable ? join(this.real, name) : `/proc/self/fd/${this.fd}/${name}`;
  }

  /** Opens a direct subdirectory; a symbolic link is refused with ELOOP or ENOTDIR. */
  openBelow(name: Name): Directory {
    // Not `join`: that reads the whole path again at each level of a deep tree.
    const real = name === '.' ? this.real : `${this.real}${this.real.endsWith(sep) ? '' : sep}${name}`;
    const fd = openSync(this.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const child = new Directory(fd, real, this.#kept);
    try {
      if (this.state !== undefined && isStateFolder(this.state, fstatSync(fd, { bigint: true })))
        throw stateFolderError();
      child.verify();
    } catch (error) {
      child[Symbol.dispose]();
      throw error;
    }
    return child;
  }

  /** A second handle on this directory; the caller closes it. */
  again(): Directory {
    return this.openBelow('.');
  }

  /** The same handle for a further holder; it is closed when the last holder disposes of it. */
  share(): Directory {
    return new Directory(this.fd, this.real, this.#kept, this.#holders);
  }

  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    if (--this.#holders.count === 0) closeSync(this.fd);
  }

  get #kept(): DirectoryOptions {
    return { portable: this.#portable, state: this.state };
  }

  /** Whether names are reached through the descriptor, so that changes to the path can't lead elsewhere. */
  get isHeld(): boolean {
    return !this.#portable;
  }

  /** Where a directory is reached only by its path: whether the path still leads to it. Must be called after a name was used. */
  verify(): void {
    if (!this.#portable) return;
    const isStill = isSameEntry(fstatSync(this.fd, { bigint: true }), lstatSync(this.real, { bigint: true }));
    if (!isStill || realpathSync(this.real) !== this.real) throw changed(this.real);
  }

  /** The same check for a file opened by name: the name must lead to that file before and after this directory is verified. */
  verifyEntry(name: Name, opened: BigIntStats): void {
    if (!this.#portable) return;
    const check = (): void => {
      const named = lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
      if (named === undefined || !isSameEntry(opened, named)) throw changed(`${this.real}${sep}${name}`);
    };
    check();
    this.verify();
    check();
  }
}

function isSameEntry(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function changed(path: string): Error {
  return Object.assign(new Error(`changed while it was opened: ${path}`), { code: 'ELOOP' });
}

/** Whether the folder was created; an existing one is left as it is. */
export function makeBelow(parent: Directory, name: string, mode: number): boolean {
  try {
    mkdirSync(parent.at(name), { mode });
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether an empty folder was removed. One with new content belongs to another program. */
export function removeBelow(parent: Directory, name: string): boolean {
  try {
    rmdirSync(parent.at(name));
    return true;
  } catch (error) {
    return errno(error) === 'ENOENT';
  }
}

/** The mode that a new folder has. */
export function defaultMode(): number {
  return 0o777 & ~process.umask();
}

/** The mode for creating a folder: its own, plus what we need to fill it. Excluded users never get access meanwhile. */
export function modeToFill(mode: number): number {
  return mode | 0o700;
}

/** Identifies a file and its version: any change of content, mode, number of names, or a replacement changes the text. */
export function identity(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mode}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** The same file with the same content, judged by its times. Another name for it (such as its quarantined one) changes only `ctime`. */
export function isSameVersion(expected: string, stat: BigIntStats): boolean {
  return expected.slice(0, expected.lastIndexOf(':')) === identity(stat).slice(0, -`:${stat.ctimeNs}`.length);
}

/** Whether two stats are of the same file or folder, whatever its present content. */
export function isSameInode(expected: string, { dev, ino }: BigIntStats): boolean {
  return expected.startsWith(`${dev}:${ino}:`);
}

// The last check before a change: whether the file is still the planned one.

/** `expected` is an identity or `absent`. */
export function checkUnchanged(target: string, expected: string, path: string): void {
  const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  const present = now === undefined ? 'absent' : identity(now);
  if (present !== expected) throw staleError(path);
}

export function staleError(path: string): ToolError {
  return new ToolError(
    'STALE',
    `${path} was changed by someone else in the meantime; it was left as they made it. Read it again.`,
  );
}

// Lists the names in a folder, as bytes where they are not UTF-8, in batches: one call for 200,000 names takes a tenth of a second.

/** `isDirectory` is the type at the time of the listing; it may have changed since. */
export type RawEntry = { name: Name; isDirectory: boolean };

// Reading a name is about a hundred times cheaper than working on what it stands for.
const cost = 1 / 128;

export function* readNames(directory: Directory, pieces: Pieces): Steps<RawEntry[]> {
  const entries: RawEntry[] = [];
  // Latin-1 preserves every byte; UTF-8 would replace invalid ones.
  using folder = opendirSync(directory.at('.'), { encoding: 'latin1', bufferSize: 1024 });
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      entries.push({ name: toName(entry.name), isDirectory: entry.isDirectory() });
      yield* pieces.pause(cost);
    }
  } catch (error) {
    // Where the disk does not report types with names, Node looks each one up by its Latin-1 spelling.
    if (errno(error) !== 'ENOENT') throw error;
    return readdirSync(directory.at('.'), { encoding: 'buffer' }).map((name) => ({
      name: toName(name.toString('latin1')),
      isDirectory: false,
    }));
  }
  return entries;
}

function toName(latin1: string): Name {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : bytes;
}
