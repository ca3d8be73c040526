/** Computes what a patch makes of a tree of files without touching the tree: file after file, all of them or none. */
import { ToolError } from '@codelab/protocol';
import { type FilePatch, type PatchHunk, patchFailure, type Tolerance } from './file-patch.ts';
import { applyBinary } from './parse/binary-patch.ts';
import { isLinkMode } from './parse/parse-git-header.ts';
import { type AppliedHunks, applyPatchHunks } from './place-hunks.ts';

/** `mode` is the one of `stat`, file type included: 0o100644. */
export type TreeFile = { text: string; mode: number };

/** The change at one path. Each path is listed once, with its content before and after the whole patch. */
export type TreeChange = {
  path: string;
  operation: FilePatch['operation'];
  before: TreeFile | null;
  after: TreeFile | null;
  /** The old path of a renamed or copied file. */
  from?: string;
  /** The new path of the file that was here; two files that swap places have both `from` and `to`. */
  to?: string;
  offsets: number[];
  tolerant: Tolerance[];
};

type Read = (path: string) => TreeFile | undefined;

/** Throws when any file does not apply. Paths are compared as spelled, so each file must have one spelling. */
export function patchTree(files: readonly FilePatch[], read: Read): TreeChange[] {
  const renamed = files.filter((file) => file.operation === 'rename');
  const leaving = new Set(renamed.map((file) => file.oldPath ?? ''));
  const hasContext = files.some((file) => file.hunks.some(isWithContext));
  const tree: Tree = { read, leaving, hasContext, touched: new Map() };
  for (const file of files) patchFile(tree, file);
  const changes = [...tree.touched].map(([path, touched]) => toChange(tree, path, touched)).filter(isChange);
  refuseBeyondLinks(changes);
  return changes;
}

type TouchedPath = {
  now: TreeFile | null;
  /** The file now at this path was created, renamed or copied here by the patch. */
  hasArrived: boolean;
  from?: { path: string; operation: 'rename' | 'copy' };
  to?: string;
  offsets: number[];
  tolerant: Tolerance[];
};

type Tree = {
  read: Read;
  /** Paths whose file the patch renames, now or in a later section. */
  leaving: ReadonlySet<string>;
  hasContext: boolean;
  touched: Map<string, TouchedPath>;
};

function isWithContext({ lines }: PatchHunk): boolean {
  return lines.some((line) => line.startsWith(' '));
}

function patchFile(tree: Tree, file: FilePatch): void {
  const { operation, oldPath, newPath } = file;
  const path = newPath ?? oldPath ?? '';
  const source = sourceOf(tree, file, path);
  const isArrival = operation === 'create' || operation === 'rename' || operation === 'copy';
  if (isArrival) refuseTaken(tree, path);
  refuseOtherType(file, source, path);
  const { text, offsets, tolerant } = contentAfter(tree, file, source, path);
  if (operation === 'delete' && text !== '')
    throw patchFailure('The file holds more than the patch deletes.', { path });

  const touched = touch(tree, path);
  touched.now = operation === 'delete' ? null : { text, mode: modeAfter(source, file.newMode) };
  touched.hasArrived ||= isArrival;
  touched.offsets = touched.offsets.concat(offsets);
  touched.tolerant = [...new Set([...touched.tolerant, ...tolerant, ...(file.tolerant ?? [])])];
  if (oldPath === null || (operation !== 'rename' && operation !== 'copy')) return;
  touched.from = { path: oldPath, operation };
  if (operation === 'rename') leave(tree, oldPath, path);
}

function refuseOtherType({ isLink, operation }: FilePatch, source: TreeFile | null, path: string): void {
  if (isLink && (operation === 'rename' || operation === 'copy'))
    throw patchFailure(
      'A symbolic link is neither renamed nor copied by a patch. Delete it and create it again.',
      { path },
    );
  if (source === null || isLinkMode(source.mode) === (isLink ?? false)) return;
  throw patchFailure(
    isLink
      ? 'The patch changes a symbolic link, but here is a file. Create the diff again from the current files.'
      : 'Here is a symbolic link; a patch does not go through links. Change the file it leads to.',
    { path },
  );
}

function contentAfter(tree: Tree, file: FilePatch, source: TreeFile | null, path: string): AppliedHunks {
  const { hunks, binary } = file;
  if (binary) return { text: applyBinary(source?.text ?? null, binary, path), offsets: [], tolerant: [] };
  const text = source?.text ?? '';
  if (hunks.length > 0 && text.includes('\0'))
    throw new ToolError('ENCODING_ERROR', `${path} is a binary file; it was left as it is.`);
  return applyPatchHunks(text, hunks, { path, hasContext: tree.hasContext });
}

/** As in git, renames and copies start from the tree before the patch, whatever their order; other operations from the current state. */
function sourceOf(tree: Tree, { operation, oldPath }: FilePatch, path: string): TreeFile | null {
  if (operation === 'create' || oldPath === null) return null;
  const touched = tree.touched.get(oldPath);
  if (operation === 'rename' && touched && (!touched.hasArrived || touched.to !== undefined))
    throw patchFailure(`An earlier part of the patch changes "${oldPath}", so it cannot be renamed.`, {
      path,
    });
  const isFromBefore = operation === 'rename' || operation === 'copy';
  const source = isFromBefore ? tree.read(oldPath) : presentAt(tree, oldPath);
  if (source) return source;
  if (touched?.now)
    throw patchFailure('The patch itself creates the file, so it can be neither renamed nor copied.', {
      path: oldPath,
    });
  if (touched) throw patchFailure('An earlier part of the patch removes the file.', { path: oldPath });
  throw patchFailure('There is no such file. The old name of a new one is /dev/null.', { path: oldPath });
}

function presentAt(tree: Tree, path: string): TreeFile | undefined {
  const touched = tree.touched.get(path);
  return touched ? (touched.now ?? undefined) : tree.read(path);
}

/** A path whose file is about to be renamed is free, so that two files can swap places. */
function refuseTaken(tree: Tree, path: string): void {
  const isLeft = tree.leaving.has(path) && !tree.touched.has(path);
  if (!isLeft && presentAt(tree, path))
    throw patchFailure(
      'The file exists already. Change it with "*** Update File:" or a diff of its lines, or delete it first.',
      { path },
    );
}

function touch(tree: Tree, path: string): TouchedPath {
  const touchedFile = tree.touched.get(path);
  if (touchedFile) return touchedFile;
  const touched: TouchedPath = { now: null, hasArrived: false, offsets: [], tolerant: [] };
  tree.touched.set(path, touched);
  return touched;
}

function leave(tree: Tree, oldPath: string, newPath: string): void {
  const touched = touch(tree, oldPath);
  touched.to = newPath;
  if (!touched.hasArrived) touched.now = null;
}

/** A patch changes only the executable bits, and only for those who may read the file; all other bits stay. */
function modeAfter(source: TreeFile | null, newMode: number | undefined): number {
  if (source === null || newMode === undefined) return newMode ?? source?.mode ?? 0o100644;
  const executable = newMode === 0o100755 ? (source.mode & 0o444) >> 2 : 0;
  return (source.mode & ~0o111) | executable;
}

function toChange(tree: Tree, path: string, touched: TouchedPath): TreeChange {
  const { now: after, from, to, offsets, tolerant } = touched;
  const before = tree.read(path) ?? null;
  const names = { ...(from && { from: from.path }), ...(to !== undefined && { to }) };
  return { path, operation: operationOf(before, touched), before, after, ...names, offsets, tolerant };
}

/** No path of the patch may go through a link that the patch creates, and a link and a file may not replace each other. */
function refuseBeyondLinks(changes: readonly TreeChange[]): void {
  const links = changes.filter(({ after }) => isLinkMode(after?.mode));
  for (const { path, before } of links) {
    const beyond = changes.find((change) => change.path.startsWith(`${path}/`));
    if (beyond)
      throw patchFailure(`${beyond.path} is beyond the symbolic link ${path}.`, {
        path: beyond.path,
      });
    if (before && !isLinkMode(before.mode)) throw anotherType(path);
  }
  const replaced = changes.find(
    ({ before, after }) => isLinkMode(before?.mode) && after && !isLinkMode(after.mode),
  );
  if (replaced) throw anotherType(replaced.path);
}

function anotherType(path: string): ToolError {
  return patchFailure(
    'A file becomes a symbolic link, or the reverse. Delete the old one first, in a separate patch.',
    { path },
  );
}

function operationOf(before: TreeFile | null, { now, from, to }: TouchedPath): FilePatch['operation'] {
  if (from && now) return from.operation;
  if (before === null) return 'create';
  if (now !== null) return 'update';
  return to === undefined ? 'delete' : 'rename';
}

/** A file that the patch both creates and deletes is no change. */
function isChange({ before, after }: TreeChange): boolean {
  return before !== null || after !== null;
}
