// Reads the workspace for a fingerprint: through the same path checks as any tool, regular files only, bounded.
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

/** Prefix of the print of a file that could not be read. */
export const unreadPrint = 'unread ';

export type FilePrint = { print: string; bytes: Buffer | undefined };

/** `fault` says why the names could not be read although the folder exists. */
export type FolderNames = { names: ReadonlySet<string>; fault?: string };

/** `room` is how many bytes may still be read. */
export function readFilePrint(
  budget: { workspace: Workspace; bytesLeft: number },
  path: string,
): FilePrint | undefined {
  try {
    using place = budget.workspace.locate(path || '.', { followLast: true, access: 'read', pathChars: 4096 });
    if (place.stat === undefined || place.stat.isDirectory()) return undefined;
    const size = Number(place.stat.size);
    // A link to another place is another body even when the content is equal, because the files beside it count as well.
    const target = place.path === path ? '' : ` at ${place.path}`;
    if (size > maxFileBytes || size > budget.bytesLeft)
      return { print: `${identity(place.stat)}${target}`, bytes: undefined };
    using file = openRegular(place);
    const bytes = readWhole(file, path);
    budget.bytesLeft -= bytes.length;
    return { print: `${digest(bytes)}${target}`, bytes };
  } catch (error) {
    if (!(error instanceof ToolError) || isStateFolderError(error)) throw error;
    if (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_DIRECTORY') return undefined;
    return { print: `${unreadPrint}${farIdentity(budget.workspace, path)}`, bytes: undefined };
  }
}

// Of a link's target outside the workspace only the version is read, never the content.
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

/** Reads one entry more than the limit, so that a folder with too many is noticed. */
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

/** Folders that tools fill, in which programs look for nothing of the project's own. */
export function isPassedBy(name: string): boolean {
  return name === '.git' || isBuildFolder(name);
}

/** `passesBy` decides by name whether a folder is skipped. */
export type NameSearch = { name: RegExp; passesBy?: ((folder: string) => boolean) | undefined };

export function findBelow(
  workspace: Workspace,
  folder: string,
  { name, passesBy = isPassedBy }: NameSearch,
  giveUp: (reason: string) => void,
): string[] {
  const files: string[] = [];
  const pending = [folder];
  for (let count = 0; pending.length > 0; count++) {
    const at = pending.pop() ?? '';
    if (count >= maxFolders) {
      giveUp(`There are more than ${maxFolders} folders to check.`);
      break;
    }
    const entries = entriesOf(workspace, at);
    if (entries.length > maxNames) giveUp(`${at || '.'} has too many names.`);
    for (const entry of entries) {
      const path = posix.join(at, entry.name);
      if (entry.isDirectory() && !passesBy(entry.name)) pending.push(path);
      else if (name.test(entry.name)) files.push(path);
    }
  }
  return files;
}

// The state folder and unreadable folders hold nothing that a program could run.
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
  { giveUp, print }: { giveUp(reason: string): void; print(path: string, print: string): void },
): string | undefined {
  const isPlain = !word.startsWith('/') && !word.split('/').includes('..');
  if (isPlain)
    return posix
      .join(cwd, word)
      .replace(/^\.(\/|$)/, '')
      .replace(/\/$/, '');
  const place = resolvePlace(workspace, cwd, word, 'read');
  if (place.kind === 'inside') return place.path === '.' ? '' : place.path;
  const tmpFile = findInTmp(tmp, word);
  if (tmpFile !== undefined) {
    giveUp(`${word} lies in /tmp.`);
    print(word, printInTmp(tmpFile).print);
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

// The program that a bare name stands for, found as the command's shell would find it.
export type FoundProgram = {
  /** The real path. */
  real: string;
  /** Identifies the version: an update of the program changes it. */
  version: string;
  /** Path in the workspace, when a link leads back into the workspace. */
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
      // The file is not executable, so the next folder is searched.
    }
  }
  return undefined;
}
