// Walks from the root to a path, one name at a time, each opened no-follow below the last. Links are expanded by hand and
// only while they stay inside; a link swapped in at any moment leads to an error or to another inside place, never out.
import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type Access, ToolError } from '@codelab/protocol';
import type { Directory } from './directory.ts';
import { errno, fault } from './fault.ts';
import { outside } from './paths.ts';
import { isStateFile, isStateFolder, stateFolderError } from './state-folder.ts';

const maxLinks = 40;

export type LocateOptions = {
  /** Follow a link in the last place (reading, writing) or name the link itself (deleting, moving). */
  followLast: boolean;
  /** The intended access: git's own files can't be located for changes. */
  access: Access;
  /** For a recorded path, which no link led to: one that is on the way by now leads to another place, and is refused. */
  isRecorded?: boolean;
  /** Directories opened before in the same piece of work, by their path. */
  opened?: Map<string, Directory> | undefined;
};

/** A name in an open directory. `missing` lists the directories that do not exist yet; then nothing is there. */
export type Located = Disposable & {
  asked: string;
  path: string;
  parent: Directory;
  name: string;
  missing: string[];
  stat: BigIntStats | undefined;
  links: string[];
};

export function locate(
  root: Directory,
  path: string,
  names: readonly string[],
  options: LocateOptions,
): Located {
  const walk = new Walk(root, path, options);
  try {
    return walk.to([...names]);
  } catch (error) {
    walk[Symbol.dispose]();
    throw fault(error, path);
  }
}

class Walk implements Disposable {
  readonly #root: Directory;
  readonly #asked: string;
  readonly #options: LocateOptions;
  #open: Directory[] = [];
  #names: string[] = [];
  #links: string[] = [];

  constructor(root: Directory, path: string, options: LocateOptions) {
    this.#root = root;
    this.#asked = path;
    this.#options = options;
  }

  to(rest: string[]): Located {
    for (;;) {
      const name = rest.shift();
      if (name === undefined) return this.#found('.', lstatSync(this.#here.at('.'), { bigint: true }));
      if (name === '..') {
        if (this.#names.pop() === undefined) throw outside(this.#asked, 'symlink');
        this.#open.pop()?.[Symbol.dispose]();
        continue;
      }
      if (rest.length > 0 && this.#enterAgain(name)) continue;
      const stat = lstatSync(this.#here.at(name), { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) return this.#absent(name, rest);
      this.#refuseState(stat);
      if (stat.isSymbolicLink() && (rest.length > 0 || this.#options.followLast)) {
        rest.unshift(...this.#expand(name));
        continue;
      }
      if (rest.length === 0) return this.#found(name, stat);
      this.#enter(name);
    }
  }

  [Symbol.dispose](): void {
    for (const directory of this.#open.splice(0)) directory[Symbol.dispose]();
  }

  get #here(): Directory {
    return this.#open.at(-1) ?? this.#root;
  }

  #refuseState(stat: BigIntStats): void {
    const { state } = this.#root;
    if (state === undefined) return;
    const isLinkedFile = stat.isFile() && stat.nlink > 1n;
    if (stat.isDirectory() ? isStateFolder(state, stat) : isLinkedFile && isStateFile(state, stat))
      throw stateFolderError();
  }

  // The directory was just opened without following links, so its handle is as safe as opening it again.
  #enterAgain(name: string): boolean {
    const openedBefore = this.#options.opened?.get([...this.#names, name].join('/'));
    if (openedBefore === undefined) return false;
    this.#open.push(openedBefore.share());
    this.#names.push(name);
    return true;
  }

  #enter(name: string): void {
    try {
      const directory = this.#here.openBelow(name);
      this.#open.push(directory);
      this.#names.push(name);
      this.#options.opened?.set(this.#names.join('/'), directory.share());
    } catch (error) {
      // The name was swapped for a link since the check: the link is not followed, and nothing is retried.
      throw errno(error) === 'ELOOP' ? this.#changed() : error;
    }
  }

  #readLink(name: string): string {
    try {
      return readlinkSync(this.#here.at(name));
    } catch (error) {
      // No longer a link.
      throw errno(error) === 'EINVAL' ? this.#changed() : error;
    }
  }

  #changed(): ToolError {
    return new ToolError('STALE', `${this.#asked} changed while it was looked up. Try again.`);
  }

  #expand(name: string): string[] {
    const target = this.#readLink(name);
    const link = [...this.#names, name].join('/');
    if (this.#options.isRecorded) throw becameLink(link, this.#asked);
    if (this.#links.push(link) > maxLinks) {
      throw new ToolError('INVALID_PATH', `Too many symbolic links on the way to ${this.#asked}.`, {
        reason: 'link_loop',
      });
    }
    if (!isAbsolute(target)) return target.split('/').filter(isName);
    const inside = belowRoot(this.#root.real, target);
    if (inside === undefined) throw outside(this.#asked, 'symlink');
    this[Symbol.dispose]();
    this.#names = [];
    return inside;
  }

  #found(name: string, stat: BigIntStats): Located {
    return this.#result(name, stat, []);
  }

  #absent(name: string, rest: string[]): Located {
    if (rest.length === 0) return this.#result(name, undefined, []);
    // A `..` below a missing directory can't be resolved; it came from a link, so it is not guessed.
    if (rest.includes('..')) throw new ToolError('FILE_NOT_FOUND', `File not found: ${this.#asked}`);
    const missing = [name, ...rest.slice(0, -1)];
    return this.#result(rest.at(-1) ?? name, undefined, missing);
  }

  #result(name: string, stat: BigIntStats | undefined, missing: string[]): Located {
    const parent = this.#open.pop() ?? this.#root.share();
    const path = [...this.#names, ...missing, ...(name === '.' ? [] : [name])].join('/') || '.';
    this[Symbol.dispose]();
    return new Place(parent, name, { asked: this.#asked, path, missing, stat, links: this.#links });
  }
}

function becameLink(link: string, asked: string): ToolError {
  return new ToolError(
    'NOT_A_DIRECTORY',
    `${link}, on the way to ${asked}, is a link now and was a folder; put the folder back, then try again`,
    { reason: 'symlink', link },
  );
}

// Only a target spelled with the real root in front is inside; any `..` after it is walked, not computed.
function belowRoot(root: string, target: string): string[] | undefined {
  const rootNames = root.split('/').filter(isName);
  const names = target.split('/').filter(isName);
  return rootNames.every((name, i) => names[i] === name) ? names.slice(rootNames.length) : undefined;
}

// A class, as every call makes some: V8 defines a method with a computed name anew in each object literal.
class Place implements Located {
  readonly asked: string;
  readonly path: string;
  readonly parent: Directory;
  readonly name: string;
  readonly missing: string[];
  readonly stat: BigIntStats | undefined;
  readonly links: string[];

  constructor(
    parent: Directory,
    name: string,
    found: Pick<Located, 'asked' | 'path' | 'missing' | 'stat' | 'links'>,
  ) {
    this.asked = found.asked;
    this.path = found.path;
    this.parent = parent;
    this.name = name;
    this.missing = found.missing;
    this.stat = found.stat;
    this.links = found.links;
  }

  [Symbol.dispose](): void {
    this.parent[Symbol.dispose]();
  }
}

function isName(name: string): boolean {
  return name !== '' && name !== '.';
}
