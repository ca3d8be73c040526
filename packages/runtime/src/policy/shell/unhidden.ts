// Hidden files that ripgrep reads after all, because an ignore file names them after a `!`. Whoever can write such a file could have a
// secret shown by the plainest search.
import { type Dirent, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Directory } from '../../workspace/directory.ts';
import { compileGlob } from '../../workspace/glob.ts';
import { above, ignoreFileNames } from '../../workspace/ignore-rules.ts';

/** Whether a name is named so; more of them may be than ripgrep would take. */
export type Unhidden = (name: string, isFolder: boolean) => boolean;

const maxBytes = 256 * 1024;
// Made to be shared: what stands in them is no secret.
const shared = /\.(example|sample|template|dist|defaults?)$/i;

export function unhiddenIn(directory: Directory, entries: readonly Dirent[]): Unhidden[] {
  return ignoreFileNames
    .filter((name) => entries.some((entry) => entry.name === name))
    .flatMap((name) => readUnhidden(directory.at(name)));
}

/** By the files of the folders further up, and git's own list of each. */
export function unhiddenAbove(real: string): Unhidden[] {
  return [real, ...above(real)].flatMap((folder) => {
    const files = folder === real ? ['.git/info/exclude'] : [...ignoreFileNames, '.git/info/exclude'];
    return files.flatMap((name) => readUnhidden(join(folder, name)));
  });
}

function readUnhidden(path: string): Unhidden[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  // Where it leads or how long it is only reading would tell.
  if (!stat.isFile() || stat.size > maxBytes) return [() => true];
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  return lines.filter((line) => line.startsWith('!')).map(testOf);
}

// Only the last name counts: which folder it is meant for makes no difference to what is asked.
function testOf(line: string): Unhidden {
  const forFolders = line.trimEnd().endsWith('/');
  const names = line.slice(1).trimEnd().split('/');
  const last = names.findLast((name) => name !== '' && name !== '**') ?? '*';
  const test = compileGlob(last.replace(/[{}]/g, '\\$&').toLowerCase());
  return (name, isFolder) => (isFolder || !forFolders) && !shared.test(name) && test(name.toLowerCase());
}
