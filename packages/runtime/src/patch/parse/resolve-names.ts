/**
 * Decides which files a plain diff means by which files exist: names may include the folder the diff was made in (`dir/x` or `x`), and
 * the two names of a file may differ (`x.orig` and `x`). An ambiguous diff is refused.
 */
import type { ToolError } from '@codelab/protocol';
import { type FilePatch, type PlainNames, patchFailure } from '../file-patch.ts';
import { isCopyOf, plainPath } from './parse-plain-header.ts';

export type PatchSurroundings = {
  kindOf(path: string): 'file' | 'folder' | 'none';
  /** Whether the patch applies with this reading of its names. */
  doesApply(files: readonly FilePatch[]): boolean;
};

/** The patch with its names unchanged (0) or without their first folder (1), for all files alike, as with `git apply -p`. */
type NameReading = {
  files: FilePatch[];
  /** At least one of the names is an existing file. */
  isAnchored: boolean;
  problem?: ToolError;
};

export function resolveNames(files: readonly FilePatch[], surroundings: PatchSurroundings): FilePatch[] {
  const open = files.flatMap(({ names }) => names ?? []);
  if (open.length === 0) return [...files];
  const unstripped = readAt(files, 0, surroundings);
  if (open.every(({ isPrefixed }) => isPrefixed)) return filesOf(unstripped);
  const stripped = readAt(files, 1, surroundings);
  if (unstripped.problem && stripped.problem) throw missing(open) ?? unstripped.problem;
  if (unstripped.problem ?? stripped.problem) return filesOf(unstripped.problem ? stripped : unstripped);
  if (unstripped.isAnchored !== stripped.isAnchored)
    return filesOf(unstripped.isAnchored ? unstripped : stripped);
  return unstripped.isAnchored
    ? byContent(unstripped, stripped, surroundings)
    : forNewFiles(unstripped, stripped, open, surroundings);
}

function filesOf({ files, problem }: NameReading): FilePatch[] {
  if (problem) throw problem;
  return files;
}

function byContent(
  unstripped: NameReading,
  stripped: NameReading,
  { doesApply }: PatchSurroundings,
): FilePatch[] {
  if (!doesApply(stripped.files)) return unstripped.files;
  if (!doesApply(unstripped.files)) return stripped.files;
  throw twoMeanings(unstripped, stripped);
}

/** When no file exists, equal names are taken whole; different first folders are the two trees that were compared. */
function forNewFiles(
  unstripped: NameReading,
  stripped: NameReading,
  open: readonly PlainNames[],
  { kindOf }: PatchSurroundings,
): FilePatch[] {
  const compared = open.filter(
    (names) => names.old !== null && names.new !== null && names.old !== names.new,
  );
  if (compared.length === 0) return unstripped.files;
  if (compared.some((names) => kindOf(folderOf(plainPath(names))) === 'folder'))
    throw twoMeanings(unstripped, stripped);
  return stripped.files;
}

function readAt(files: readonly FilePatch[], level: 0 | 1, { kindOf }: PatchSurroundings): NameReading {
  const reading: NameReading = { files: [], isAnchored: false };
  const existsAfter = new Map<string, boolean>();
  const exists = (path: string) => existsAfter.get(path) ?? kindOf(path) === 'file';
  for (const { names, ...file } of files) {
    const resolved = names ? resolvePaths(file, namesAt(names, level), exists) : file;
    if ('code' in resolved) return { ...reading, problem: resolved };
    reading.isAnchored ||= names !== undefined && resolved.oldPath !== null;
    reading.files.push(resolved);
    if (resolved.oldPath !== null && resolved.operation !== 'copy') existsAfter.set(resolved.oldPath, false);
    if (resolved.newPath !== null) existsAfter.set(resolved.newPath, true);
  }
  return reading;
}

function namesAt(names: PlainNames, level: 0 | 1): PlainNames {
  if (level === 0 || names.isPrefixed) return names;
  return { ...names, old: names.old && withoutFolder(names.old), new: names.new && withoutFolder(names.new) };
}

function resolvePaths(
  file: FilePatch,
  names: PlainNames,
  exists: (path: string) => boolean,
): FilePatch | ToolError {
  const path = plainPath(names);
  const creation: FilePatch = {
    newMode: 0o100644,
    ...file,
    oldPath: null,
    newPath: path,
    operation: 'create',
  };
  if (path === '' || names.old === '' || names.new === '') return patchFailure('The file name is empty.');
  if (file.operation === 'create') return creation;
  const other = [names.old, names.new].find((name) => name !== null && !isCopyOf(name, path)) ?? path;
  const existing = [...new Set([path, other])].filter(exists);
  if (existing.length > 1) throw twoFiles(path, other);
  const [found] = existing;
  if (found !== undefined)
    return { ...file, oldPath: found, newPath: file.operation === 'delete' ? null : found };
  const [hunk, ...otherHunks] = file.hunks;
  const onlyAdds = hunk !== undefined && hunk.oldLines === 0 && otherHunks.length === 0;
  if (file.operation === 'update' && onlyAdds) return creation;
  return patchFailure('There is no such file. The old name of a new one is /dev/null.', { path });
}

function withoutFolder(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? '' : name.slice(slash + 1).replace(/^\/+/, '');
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function twoFiles(path: string, other: string): ToolError {
  return patchFailure(
    `The names "${cutName(path)}" and "${cutName(other)}" disagree, and both files exist. Name the one to be changed in both lines: --- a/${cutName(path)} and +++ b/${cutName(path)}.`,
    { path },
  );
}

function twoMeanings(unstripped: NameReading, stripped: NameReading): ToolError {
  const at = unstripped.files.findIndex((file, index) => pathOf(file) !== pathOf(stripped.files[index]));
  const [path, other] = [cutName(pathOf(unstripped.files[at])), cutName(pathOf(stripped.files[at]))];
  return patchFailure(
    `The patch applies to both "${path}" and "${other}". Choose one with a prefix: --- a/${path} and +++ b/${path}.`,
    { path },
  );
}

/** Undefined when only one name could be meant: then the missing file is a sufficient error. */
function missing(open: readonly PlainNames[]): ToolError | undefined {
  const names = open.find(({ old, new: name }) => old !== null && name !== null && old !== name);
  if (names === undefined) return undefined;
  const path = plainPath(names);
  const tried = [names.old, names.new, ...Object.values(namesAt(names, 1))].filter(
    (name) => typeof name === 'string' && name !== '',
  );
  return patchFailure(
    `The names disagree, and no file is at any of: ${[...new Set(tried)].map((name) => cutName(String(name))).join(', ')}. Name the file to be changed in both lines.`,
    { path },
  );
}

function pathOf(file: FilePatch | undefined): string {
  return file?.newPath ?? file?.oldPath ?? '';
}

function cutName(name: string): string {
  return name.slice(0, 200);
}
