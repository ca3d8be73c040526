// Walks every file below a directory that no ignore file excludes, by name and by descriptor; used when ripgrep is missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Directory } from '../workspace/directory.ts';
import { errno } from '../workspace/fault.ts';
import { readWhole } from '../workspace/read-bytes.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';
import {
  above,
  type DirectoryRules,
  type IgnoreFileKind,
  ignoreFileNames,
  ignoreScope,
  isIgnored,
  openBelow,
  parseIgnoreFile,
} from '../workspace/trees/ignore-rules.ts';
import { entriesOf } from '../workspace/trees/tree.ts';

type WalkedFile = { path: string; parent: Directory; name: string };

const maxDepth = 500;
const maxIgnoreBytes = 1024 * 1024;

/** The parent directory stays open only until the next file is requested. */
export async function* walkFiles(
  directory: Directory,
  options: { root: string; signal: AbortSignal },
): AsyncGenerator<WalkedFile> {
  yield* walk(directory, '', chainAbove(directory.real, options.root), options.signal);
}

async function* walk(
  directory: Directory,
  prefix: string,
  chain: readonly DirectoryRules[],
  signal: AbortSignal,
): AsyncGenerator<WalkedFile> {
  await otherWork();
  signal.throwIfAborted();
  const entries = entriesOf(directory);
  const names = new Set(entries.map(({ name }) => name));
  const rules = [rulesOf(directory, names), ...chain];
  for (const entry of entries) {
    const { name } = entry;
    const isDirectory = entry.isDirectory();
    if ((!isDirectory && !entry.isFile()) || name === '.git') continue;
    if (isIgnored(rules, join(directory.real, name), isDirectory)) continue;
    if (!isDirectory) yield { path: prefix + name, parent: directory, name };
    else if (prefix.split('/').length <= maxDepth) {
      using below = openIfThere(directory, name);
      if (below !== undefined) yield* walk(below, `${prefix}${name}/`, rules, signal);
    }
  }
}

// An entry that was deleted, replaced by a link or made unreadable meanwhile is not searched.
function openIfThere(parent: Directory, name: string): Directory | undefined {
  try {
    return parent.openBelow(name);
  } catch (error) {
    if (isStateFolderError(error)) return undefined;
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES'].includes(errno(error) ?? '')) return undefined;
    throw error;
  }
}

function rulesOf(directory: Directory, names: ReadonlySet<string>): DirectoryRules {
  const read = (name: string): string => readIgnoreFile(directory, name);
  return rulesFrom(directory.real, names.has('.git'), (name) => (names.has(name) ? read(name) : ''));
}

function chainAbove(directory: string, root: string): DirectoryRules[] {
  const { top } = ignoreScope(root);
  const parents = directory === top ? [] : above(directory);
  const repositoryFolders = parents.slice(0, parents.indexOf(top) + 1);
  return repositoryFolders.map((parent) =>
    rulesFrom(parent, parent === top, (name) => readIfThere(join(parent, name))),
  );
}

function rulesFrom(base: string, isRepository: boolean, read: (name: string) => string): DirectoryRules {
  const kinds: Partial<Record<IgnoreFileKind, ReturnType<typeof parseIgnoreFile>>> = {};
  for (const name of ignoreFileNames) kinds[name] = parseIgnoreFile(read(name));
  if (isRepository) kinds.exclude = parseIgnoreFile(readIfThere(join(base, '.git', 'info', 'exclude')));
  return { base, isRepository, kinds };
}

function readIgnoreFile(directory: Directory, name: string): string {
  using file = openBelow(directory, name);
  return file === undefined || file.stat.size > maxIgnoreBytes ? '' : readWhole(file, name).toString();
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
