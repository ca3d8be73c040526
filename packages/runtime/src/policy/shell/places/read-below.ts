// Records every file below a folder that a program reads whole, since any of them may hold secrets.

import { type Dirent, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { phrase, ToolError } from '@codelab/protocol';
import type { Directory } from '../../../workspace/directory.ts';
import { isStateFolderError } from '../../../workspace/state-folder.ts';
import { compileGlob } from '../../../workspace/trees/glob.ts';
import { above, ignoreFileNames } from '../../../workspace/trees/ignore-rules.ts';
import { entriesOf } from '../../../workspace/trees/tree.ts';
import { isProtected } from '../../built-in-rules.ts';
import { secretsInGit } from '../git/git-settings.ts';
import { asks, isJudged, isReading, type Judgement, readsUnclear } from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { refuseHoldingState, resolvePlace } from './resolve-place.ts';

const maxEntries = 10_000;

type BelowOptions = {
  skips(name: string, isFolder: boolean): boolean;
  /** An ignore file un-hides this file with `!`. */
  unhides?: boolean;
  /** The program reads link targets. */
  followsLinks?: boolean | undefined;
};

/** The judgements on reading below a folder. Files that may hold secrets are recorded separately. */
export function readBelow(
  path: string,
  state: LineState,
  { skips, unhides = false, followsLinks }: BelowOptions,
): Judgement[] {
  let remaining = maxEntries;
  const against: Judgement[] = [];
  const enter = (directory: Directory, name: string, place: string, above: readonly IsUnhidden[]): void => {
    using inner = directory.openBelow(name);
    if (name === '.git' && !followsLinks) noteGit(inner, place, state);
    else visit(inner, `${place}/`, above);
  };
  const visit = (directory: Directory, below: string, above: readonly IsUnhidden[]): void => {
    const entries = entriesOf(directory);
    const unhidden = unhides ? [...above, ...unhiddenIn(directory, entries)] : [];
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      const isNamed = entry.name.startsWith('.') && unhidden.some((test) => test(entry.name, isFolder));
      if (!isNamed && skips(entry.name, isFolder)) continue;
      // Published packages hold no secrets of this workspace.
      if (isFolder && entry.name === 'node_modules') continue;
      if (--remaining < 0) return;
      const place = below + entry.name;
      if (isFolder) enter(directory, entry.name, place, unhidden);
      else if (entry.isFile()) note(place, state);
      else if (followsLinks && entry.isSymbolicLink()) against.push(...followLink(place, state));
    }
  };
  try {
    using place = state.workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    if (place.stat?.isDirectory() !== true) return [];
    using directory = place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name);
    if (place.name === '.git' && !followsLinks) noteGit(directory, path, state);
    else visit(directory, path === '.' ? '' : `${path}/`, unhides ? unhiddenAbove(directory.real) : []);
  } catch (error) {
    if (isStateFolderError(error)) throw error;
    const problem = error instanceof ToolError ? error.message : undefined;
    const reason =
      problem === undefined
        ? phrase('place.closed', { path })
        : phrase('place.notSeen', { path, why: problem });
    return [asks(reason, 'high')];
  }
  return remaining < 0 ? [...against, tooMuch(path, state)] : against;
}

/** The folder does not exist yet: an earlier part of the line may create it, with unknown files. */
export function readMissing(path: string, { parts }: LineState): Judgement[] {
  const isChanging = parts.some((part) => !isReading(part) && isJudged(part));
  return isChanging ? [readsUnclear(phrase('place.notThereYet', { path }))] : [];
}

function tooMuch(path: string, state: LineState): Judgement {
  refuseHoldingState(
    [{ kind: 'inside', asked: path, path, exists: true, isFolder: true, isLinked: false }],
    state,
  );
  return readsUnclear(phrase('place.tooMuch', { path }));
}

function followLink(path: string, state: LineState): Judgement[] {
  const place = resolvePlace(state.workspace, '', path, 'read');
  if (place.kind === 'inside' && !place.isFolder) {
    note(place.path, state);
    return [];
  }
  return [readsUnclear(phrase('place.link', { path }))];
}

function noteGit(directory: Directory, path: string, state: LineState): void {
  for (const name of secretsInGit(directory.at('.'))) note(`${path}/${name}`, state);
}

function note(path: string, { secrets, within }: LineState): void {
  const list = isProtected(path) ? secrets : within;
  list.push({ asked: path, path, access: 'read' });
}

// Hidden files that ripgrep reads after all because an ignore file un-hides them with `!`: an ignore file could make a plain search print a
// secret.
/** Whether a name is un-hidden; may match more names than ripgrep would. */
type IsUnhidden = (name: string, isFolder: boolean) => boolean;

const maxBytes = 256 * 1024;
// Sample files are made to be shared and hold no secret.
const shared = /\.(example|sample|template|dist|defaults?)$/i;

function unhiddenIn(directory: Directory, entries: readonly Dirent[]): IsUnhidden[] {
  return ignoreFileNames
    .filter((name) => entries.some((entry) => entry.name === name))
    .flatMap((name) => readUnhidden(directory.at(name)));
}

/** The ignore files of the folders further up, and git's own exclude list of each. */
function unhiddenAbove(real: string): IsUnhidden[] {
  return [real, ...above(real)].flatMap((folder) => {
    const files = folder === real ? ['.git/info/exclude'] : [...ignoreFileNames, '.git/info/exclude'];
    return files.flatMap((name) => readUnhidden(join(folder, name)));
  });
}

function readUnhidden(path: string): IsUnhidden[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  // Only reading shows where a link leads or how long the file is, so every name counts as un-hidden.
  if (!stat.isFile() || stat.size > maxBytes) return [() => true];
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  return lines.filter((line) => line.startsWith('!')).map(testOf);
}

// Only the last name of the pattern counts: its folder makes no difference here.
function testOf(line: string): IsUnhidden {
  const forFolders = line.trimEnd().endsWith('/');
  const names = line.slice(1).trimEnd().split('/');
  const last = names.findLast((name) => name !== '' && name !== '**') ?? '*';
  const test = compileGlob(last.replace(/[{}]/g, '\\$&').toLowerCase());
  return (name, isFolder) => (isFolder || !forFolders) && !shared.test(name) && test(name.toLowerCase());
}
