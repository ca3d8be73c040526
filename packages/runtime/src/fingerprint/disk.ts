// What a fingerprint reads of the workspace: through the same guard as any tool, regular files only, bounded.
import { accessSync, constants, type Dirent, opendirSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import { resolvePlace } from '../policy/shell/places/resolve-place.ts';
import { isUnder, trustedPath } from '../process/child-environment.ts';
import { isBuildFolder } from '../snapshot/tree-entry.ts';
import { identity } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import { findInTmp, type OwnTmp, printInTmp } from '../workspace/own-tmp.ts';
import { openRegular, readWhole } from '../workspace/read-bytes.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';

const maxFileBytes = 1024 * 1024;
const maxNames = 5000;

/** How the print of a file begins that could not be read. */
export const unreadPrint = 'unread ';

export type FilePrint = { print: string; bytes: Buffer | undefined };

/** `fault` says why the names could not be read although there is something. */
export type FolderNames = { names: ReadonlySet<string>; fault?: string };

/** `room`: how much may still be read. */
export function readFilePrint(
  room: { workspace: Workspace; bytesLeft: number },
  path: string,
): FilePrint | undefined {
  try {
    using place = room.workspace.locate(path || '.', { followLast: true, access: 'read', pathChars: 4096 });
    if (place.stat === undefined || place.stat.isDirectory()) return undefined;
    const size = Number(place.stat.size);
    // A link that leads somewhere else is another body, even when it reads the same: what lies beside it counts as well.
    const target = place.path === path ? '' : ` at ${place.path}`;
    if (size > maxFileBytes || size > room.bytesLeft)
      return { print: `${identity(place.stat)}${target}`, bytes: undefined };
    using file = openRegular(place);
    const bytes = readWhole(file, path);
    room.bytesLeft -= bytes.length;
    return { print: `${digest(bytes)}${target}`, bytes };
  } catch (error) {
    if (!(error instanceof ToolError) || isStateFolderError(error)) throw error;
    if (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_DIRECTORY') return undefined;
    return { print: `${unreadPrint}${farIdentity(room.workspace, path)}`, bytes: undefined };
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

export function readFolderNames(workspace: Workspace, folder: string): FolderNames {
  try {
    const entries = readEntries(workspace, folder);
    const names = new Set(entries.slice(0, maxNames).map(({ name }) => name));
    return entries.length > maxNames ? { names, fault: `${folder || '.'} has too many names.` } : { names };
  } catch (error) {
    if (!(error instanceof ToolError) || isStateFolderError(error)) throw error;
    const isAbsent = error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_DIRECTORY';
    const fault = `${folder} can't be read, or leads out of the workspace.`;
    return { names: new Set(), ...(!isAbsent && { fault }) };
  }
}

/** One more than are taken, so that it is noticed when there are too many. */
function readEntries(workspace: Workspace, folder: string): Dirent[] {
  using place = workspace.locate(folder || '.', { followLast: true, access: 'read', pathChars: 4096 });
  if (place.stat?.isDirectory() !== true) return [];
  return guarded(folder, () => {
    const open = opendirSync(place.parent.at(place.name), { bufferSize: 256 });
    try {
      const entries: Dirent[] = [];
      for (let entry = open.readSync(); entry !== null && entries.length <= maxNames; entry = open.readSync())
        entries.push(entry);
      return entries;
    } finally {
      open.closeSync();
    }
  });
}

const maxFolders = 2000;

/** What tools fill, where others look for nothing of their own. */
export function isPassedBy(name: string): boolean {
  return name === '.git' || isBuildFolder(name);
}

/** `passesBy` tells by its name whether a folder is not looked into. */
export type NameSearch = { name: RegExp; passesBy?: ((folder: string) => boolean) | undefined };

export function findBelow(
  workspace: Workspace,
  folder: string,
  { name, passesBy = isPassedBy }: NameSearch,
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
    const entries = entriesOf(workspace, at);
    if (entries.length > maxNames) giveUp(`${at || '.'} has too many names.`);
    for (const entry of entries) {
      const path = posix.join(at, entry.name);
      if (entry.isDirectory() && !passesBy(entry.name)) left.push(path);
      else if (name.test(entry.name)) found.push(path);
    }
  }
  return found;
}

// The state folder, or one that nobody may read, has nothing for a runner either.
function entriesOf(workspace: Workspace, folder: string): Dirent[] {
  try {
    return readEntries(workspace, folder);
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

export function resolveWord(
  { workspace, tmp }: { workspace: Workspace; tmp: OwnTmp | undefined },
  cwd: string,
  word: string,
  { giveUp, print }: { giveUp(why: string): void; print(path: string, print: string): void },
): string | undefined {
  const isPlain = !word.startsWith('/') && !word.split('/').includes('..');
  if (isPlain)
    return posix
      .join(cwd, word)
      .replace(/^\.(\/|$)/, '')
      .replace(/\/$/, '');
  const place = resolvePlace(workspace, cwd, word, 'read');
  if (place.kind === 'inside') return place.path === '.' ? '' : place.path;
  const own = findInTmp(tmp, word);
  if (own !== undefined) {
    giveUp(`${word} lies in /tmp.`);
    print(word, printInTmp(own).print);
    return undefined;
  }
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

// The program that a bare name stands for, found as the shell of a command would find it.
export type FoundProgram = {
  /** Where it really lies. */
  real: string;
  /** Which version of it: an update changes it. */
  version: string;
  /** Relative to the workspace, when a link leads back into it. */
  inside: string | undefined;
};

export function findOnPath(name: string, root: string): FoundProgram | undefined {
  for (const folder of trustedPath(root)) {
    const path = join(folder, name);
    try {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat?.isFile() !== true) continue;
      accessSync(path, constants.X_OK);
      const real = realpathSync(path);
      const inside = isUnder(real, root) ? real.slice(root.length + 1) : undefined;
      return { real, version: identity(stat), inside };
    } catch {
      // Nobody may run it, so the next folder is searched.
    }
  }
  return undefined;
}
