// Collects what one part of a command would execute: prints of files, texts for people, and why something could not be found out.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { type Execution, type Print, ToolError } from '@codelab/protocol';
import { resolvePlace } from '../policy/shell/resolve-place.ts';
import { digest } from '../workspace/digest.ts';
import { identity } from '../workspace/identity.ts';
import { openRegular, readWhole } from '../workspace/read-bytes.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { FoundProgram } from './programs.ts';

// More than any project's own scripts need; what has more can't be remembered.
const maxFiles = 150;
const maxBytes = 4 * 1024 * 1024;
const maxFileBytes = 1024 * 1024;
const maxRuns = 30;
const maxRunChars = 600;
const unread = 'unread ';

export type Recorder = {
  workspace: Workspace;
  /** The file a word names, relative to the workspace; undefined, and given up, when it leads out of it. */
  resolve(cwd: string, word: string): string | undefined;
  /** Prints a file; false when there is none. */
  file(path: string): boolean;
  /** Prints a file and returns its text; undefined when there is none, or when it can't be read. */
  text(path: string): string | undefined;
  /** The text of a file that is printed in another way, or only in part. */
  peek(path: string): string | undefined;
  /** The names in a folder; empty when there is none. */
  names(folder: string): ReadonlySet<string>;
  /** Files of a name below a folder; given up when there are too many folders to look into. */
  find(folder: string, name: RegExp): string[];
  print(path: string, print: string): void;
  /** Notes which program of the machine a name stands for. */
  program(name: string, found: FoundProgram | undefined): void;
  run(label: string, text: string): void;
  giveUp(why: string): void;
};

type Found = { print: string; bytes: Buffer | undefined };

/** What the parts of one command have read, so that each file is read once, and how much is left to read. */
export type Shared = {
  workspace: Workspace;
  found: Map<string, Found | undefined>;
  listed: Map<string, ReadonlySet<string>>;
  /** The programs of the machine, each with its version. */
  programs: Map<string, string>;
  bytesLeft: number;
};

export function newShared(workspace: Workspace): Shared {
  return { workspace, found: new Map(), listed: new Map(), programs: new Map(), bytesLeft: maxBytes };
}

export function createRecorder(shared: Shared): Recorder & { result(): Execution } {
  const { workspace } = shared;
  const prints = new Map<string, string>();
  const runs: Execution['runs'] = [];
  let unknown: string | undefined;
  const giveUp = (why: string): void => {
    unknown ??= why;
  };
  const print = (path: string, value: string): void => {
    if (prints.size >= maxFiles && !prints.has(path)) giveUp(`It runs more than ${maxFiles} files.`);
    else prints.set(path, value);
  };
  const look = (path: string): Found | undefined => {
    if (!shared.found.has(path)) shared.found.set(path, readFound(shared, path));
    return shared.found.get(path);
  };
  const peek = (path: string): string | undefined => {
    const found = look(path);
    if (found !== undefined && found.bytes === undefined) giveUp(`${path} is too large, or can't be read.`);
    return found?.bytes?.toString('utf8');
  };
  const file = (path: string): boolean => {
    const found = look(path);
    if (found?.print.startsWith(unread)) giveUp(`${path} can't be read, or leads out of the workspace.`);
    if (found !== undefined) print(path, found.print);
    return found !== undefined;
  };
  return {
    workspace,
    print,
    giveUp,
    file,
    peek,
    text: (path) => (file(path) ? peek(path) : undefined),
    program(name, found) {
      print(`program ${name}`, found?.real ?? 'none');
      shared.programs.set(name, found === undefined ? 'none' : `${found.real} ${found.version}`);
    },
    names: (folder) => listNames(shared, folder),
    find: (folder, name) => findBelow(workspace, folder, name, giveUp),
    resolve: (cwd, word) => resolveWord(workspace, cwd, word, giveUp, print),
    run(label, text) {
      const shown = text.length > maxRunChars ? `${text.slice(0, maxRunChars)}…` : text;
      const isKnown = runs.some((one) => one.label === label && one.text === shown);
      if (!isKnown && runs.length < maxRuns) runs.push({ label, text: shown });
    },
    result() {
      const files: Print[] = [...prints].map(([path, value]) => ({ path, print: value }));
      files.sort((a, b) => (a.path < b.path ? -1 : 1));
      return { runs, files, ...(unknown !== undefined && { unknown }) };
    },
  };
}

/** A recorder for what is followed as far as it is plain, such as the lines of a recipe: nothing there is a reason to give up. */
export function quietly(recorder: Recorder): Recorder {
  return { ...recorder, giveUp: () => undefined };
}

function readFound(shared: Shared, path: string): Found | undefined {
  try {
    using place = shared.workspace.locate(path || '.', { followLast: true, access: 'read', pathChars: 4096 });
    if (place.stat === undefined || place.stat.isDirectory()) return undefined;
    const size = Number(place.stat.size);
    // A link that leads somewhere else is another body, even when it reads the same: what lies beside it counts as well.
    const target = place.path === path ? '' : ` at ${place.path}`;
    if (size > maxFileBytes || size > shared.bytesLeft)
      return { print: `${identity(place.stat)}${target}`, bytes: undefined };
    using file = openRegular(place);
    const bytes = readWhole(file, path);
    shared.bytesLeft -= bytes.length;
    return { print: `${digest(bytes)}${target}`, bytes };
  } catch (error) {
    if (!(error instanceof ToolError) || isStateFolderError(error)) throw error;
    if (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_DIRECTORY') return undefined;
    return { print: `${unread}${farIdentity(shared.workspace, path)}`, bytes: undefined };
  }
}

// Of what a link outside leads to only the version is looked at, never the content.
function farIdentity(workspace: Workspace, path: string): string {
  try {
    return identity(statSync(posix.join(workspace.root.real, path), { bigint: true }));
  } catch {
    return 'nothing';
  }
}

function listNames({ workspace, listed }: Shared, folder: string): ReadonlySet<string> {
  const known = listed.get(folder);
  if (known !== undefined) return known;
  let names: ReadonlySet<string> = new Set();
  try {
    using place = workspace.locate(folder || '.', { followLast: true, access: 'read', pathChars: 4096 });
    if (place.stat?.isDirectory() === true) names = new Set(readdirSync(place.parent.at(place.name)));
  } catch (error) {
    if (isStateFolderError(error)) throw error;
  }
  listed.set(folder, names);
  return names;
}

const maxFolders = 400;
// What tools make or download, where they look for nothing of their own.
const passedBy = /^(?:\..*|node_modules|target|build|dist|venv|__pycache__|.*\.egg(?:-info)?)$/;

function findBelow(
  workspace: Workspace,
  folder: string,
  name: RegExp,
  giveUp: (why: string) => void,
): string[] {
  const found: string[] = [];
  const left = [folder];
  for (let count = 0; left.length > 0; count++) {
    const at = left.pop() ?? '';
    if (count >= maxFolders) {
      giveUp(`There are more than ${maxFolders} folders to look into.`);
      break;
    }
    for (const entry of entriesOf(workspace, at)) {
      const path = posix.join(at, entry.name);
      if (entry.isDirectory() && !passedBy.test(entry.name)) left.push(path);
      else if (name.test(entry.name)) found.push(path);
    }
  }
  return found;
}

function entriesOf(workspace: Workspace, folder: string): Dirent[] {
  try {
    using place = workspace.locate(folder || '.', { followLast: true, access: 'read', pathChars: 4096 });
    const isThere = place.stat?.isDirectory() === true;
    return isThere ? readdirSync(place.parent.at(place.name), { withFileTypes: true }) : [];
  } catch {
    // The state folder, or one that nobody may read.
    return [];
  }
}

function resolveWord(
  workspace: Workspace,
  cwd: string,
  word: string,
  giveUp: (why: string) => void,
  print: (path: string, print: string) => void,
): string | undefined {
  const isPlain = !word.startsWith('/') && !word.split('/').includes('..');
  if (isPlain)
    return posix
      .join(cwd, word)
      .replace(/^\.(\/|$)/, '')
      .replace(/\/$/, '');
  const place = resolvePlace(workspace, cwd, word, 'read');
  if (place.kind === 'inside') return place.path === '.' ? '' : place.path;
  giveUp(`${word} lies outside of the workspace.`);
  const far = posix.resolve(workspace.root.real, cwd, word);
  print(far, statOf(far));
  return undefined;
}

function statOf(path: string): string {
  try {
    return identity(statSync(path, { bigint: true }));
  } catch {
    return 'nothing';
  }
}
