// The folder an agent may work in: one open root, and the only way to turn a caller's path into a place below it.
import { type BigIntStats, fchmodSync, fstatSync, lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type Access, ToolError } from '@codelab/protocol';
import { Directory, defaultMode, identity, makeBelow, removeBelow } from './directory.ts';
import { fault } from './fault.ts';
import { type Located, type LocateOptions, locate } from './locate.ts';
import { foldPath, outside, parsePath } from './paths.ts';
import { openRegular, readWhole } from './read-bytes.ts';
import type { StateFolder } from './state-folder.ts';

export class Workspace implements Disposable {
  readonly root: Directory;
  #gits: { version: string; folders: string[] } | undefined;
  #opened: Map<string, Directory> | undefined;
  #held: BigIntStats | undefined;
  /** Whether the root was verified at its path in this turn of the event loop. */
  #isRootSeen = false;

  private constructor(root: Directory) {
    this.root = root;
  }

  static open(path: string, options: { portable?: boolean; state?: StateFolder } = {}): Workspace {
    try {
      return new Workspace(Directory.openRoot(path, options));
    } catch (error) {
      throw fault(error, path);
    }
  }

  /** Resolves a path. The result holds the parent directory open and must be disposed. */
  locate(path: string, options: LocateOptions & { pathChars: number }): Located {
    const names = parsePath(this.#relative(path), options);
    if (this.#opened === undefined && !(options.access === 'read' && this.#isRootSeen)) this.#checkRoot();
    const place = locate(this.root, path, names, { ...options, opened: this.#opened });
    // A path with a trailing slash names a directory, never a file.
    if (
      /\/\.?$/.test(path) &&
      (place.stat === undefined ? options.access === 'write' : !place.stat.isDirectory())
    ) {
      place[Symbol.dispose]();
      throw namesDirectory(path);
    }
    if (options.access === 'read' || !this.#isGits(place.path, options.access)) return place;
    place[Symbol.dispose]();
    throw new ToolError(
      'PERMISSION_DENIED',
      `${path} is where git keeps its own files, and they decide what git executes. Use the git tools.`,
      { rule: 'git-internals' },
    );
  }

  /** Resolves many places as one piece of work: each directory on the way is opened once. */
  together<T>(work: () => T): T {
    if (this.#opened !== undefined) return work();
    this.#checkRoot();
    this.#lookForGit();
    const opened = new Map<string, Directory>();
    this.#opened = opened;
    try {
      return work();
    } finally {
      this.#opened = undefined;
      for (const directory of opened.values()) directory[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.root[Symbol.dispose]();
  }

  // Absolute paths are never accepted, but one inside the workspace gets a better error.
  #relative(path: string): string {
    if (!path.startsWith('/')) return path;
    const root = this.root.real;
    if (path !== root && !path.startsWith(`${root}/`)) throw outside(path, 'absolute');
    if (path.split('/').includes('..')) throw outside(path, 'traversal');
    const inside = path.slice(root.length + 1) || '.';
    throw new ToolError(
      'INVALID_PATH',
      `Give the path relative to the workspace: ${JSON.stringify(inside)}.`,
      { reason: 'absolute' },
    );
  }

  // Rules know `.git` itself by name; this finds the folder that `.git` points to. A deletion takes along what it contains.
  #isGits(path: string, access: Access): boolean {
    if (this.#opened === undefined) this.#lookForGit();
    if (this.#gits === undefined || this.#gits.folders.length === 0) return false;
    const folded = foldPath(path);
    return this.#gits.folders.some(
      (folder) => isWithin(folded, folder) || (access === 'delete' && isWithin(folder, folded)),
    );
  }

  // Read again only when `.git` itself has changed: a patch asks a thousand times.
  #lookForGit(): void {
    const stat = lstatSync(this.root.at('.git'), { bigint: true, throwIfNoEntry: false });
    const version = stat === undefined ? 'absent' : identity(stat);
    if (this.#gits?.version !== version)
      this.#gits = { version, folders: gitDirectories(this.root).map(foldPath) };
  }

  // Refuses a root that was moved or replaced since it was opened: nothing is written to its new location.
  #checkRoot(): void {
    // An open descriptor stays on the same folder, whatever happens to its name.
    this.#held ??= fstatSync(this.root.fd, { bigint: true });
    const held = this.#held;
    const named = lstatSync(this.root.real, { bigint: true, throwIfNoEntry: false });
    if (named?.dev !== held.dev || named.ino !== held.ino)
      throw new ToolError(
        'FILE_NOT_FOUND',
        'The workspace folder was moved, removed or replaced. Open it again.',
        { reason: 'workspace_gone' },
      );
    this.#sawRoot();
  }

  // Concurrent calls share one check: a result from this turn of the event loop is still current.
  #sawRoot(): void {
    if (this.#isRootSeen) return;
    this.#isRootSeen = true;
    void settled.then(() => {
      this.#isRootSeen = false;
    });
  }
}

function namesDirectory(path: string): ToolError {
  const text = `${path} ends with a slash, so it names a directory, and there is none. Leave the slash out to name a file.`;
  return new ToolError('INVALID_PATH', text, { reason: 'trailing_slash' });
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

// The folders in which git keeps its files when that is not `.git`: `.git` may be a link or a file that names another directory, and a
// worktree's directory names the shared one. Folders outside the workspace are left out.
const settled = Promise.resolve();
const maxPointerBytes = 4096n;

export function gitDirectories(root: Directory): string[] {
  const pointer = readPointer(root, '.git');
  const gitFolder = placeOf(root, '.', pointer === undefined ? '.git' : pointer.match(/^gitdir: (.+)/)?.[1]);
  if (gitFolder === undefined) return [];
  const shared = placeOf(root, gitFolder, readPointer(root, `${gitFolder}/commondir`));
  return [gitFolder, shared].filter((path) => path !== undefined).filter((path) => path !== '.git');
}

/** The text of a small file; undefined when it does not exist. */
function readPointer(root: Directory, path: string): string | undefined {
  try {
    using place = locate(root, path, path.split('/'), { followLast: true, access: 'read' });
    if (place.stat?.isFile() !== true) return undefined;
    using file = openRegular(place);
    return file.stat.size > maxPointerBytes
      ? undefined
      : readWhole(file, path)
          .toString()
          .replace(/[\r\n]+$/, '');
  } catch {
    return undefined;
  }
}

// As in git: relative to the pointer file, with links followed by the system.
function placeOf(root: Directory, base: string, target: string | undefined): string | undefined {
  if (target === undefined || target.includes('\0')) return undefined;
  const named = isAbsolute(target) ? target : `${root.real}/${base}/${target}`;
  const inside = relative(root.real, realOf(named));
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) return undefined;
  return inside.replaceAll(sep, '/');
}

// A path that does not exist yet is protected at the place where it would be created.
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

// Creates the parent folders of a new file, one below the other by descriptor; they are removed again unless they are kept.

/** `left`: created folders that could not be removed again. */
export type Parents = Disposable & { place: Located; left: readonly string[]; keep(): void };

type Modes = ReadonlyMap<string, number>;

export function makeParents(target: Located, modes: Modes): Parents {
  const opened: Directory[] = [];
  const newFolders: { parent: Directory; name: string; path: string }[] = [];
  const leftovers: string[] = [];
  let isKept = false;
  const undo = (): void => {
    if (!isKept)
      for (const { parent, name, path } of newFolders.toReversed())
        if (!removeBelow(parent, name)) leftovers.push(path);
    for (const directory of opened) directory[Symbol.dispose]();
  };
  try {
    let parent = target.parent;
    for (const [i, name] of target.missing.entries()) {
      const path = pathOfMissing(target, i);
      const mode = modes.get(path) ?? defaultMode();
      const isNew = makeBelow(parent, name, mode);
      if (isNew) newFolders.push({ parent, name, path });
      parent = parent.openBelow(name);
      opened.push(parent);
      if (isNew && (mode & ~defaultMode()) !== 0) fchmodSync(parent.fd, mode);
    }
    const stat =
      target.missing.length === 0
        ? target.stat
        : lstatSync(parent.at(target.name), { bigint: true, throwIfNoEntry: false });
    const place: Located = { ...target, parent, missing: [], stat };
    return { place, left: leftovers, keep: () => (isKept = true), [Symbol.dispose]: undo };
  } catch (error) {
    undo();
    throw fault(error, target.asked);
  }
}

function pathOfMissing({ path, name, missing }: Located, at: number): string {
  const below = missing.length - 1 - at + (name === '.' ? 0 : 1);
  return path
    .split('/')
    .slice(0, -below || undefined)
    .join('/');
}
