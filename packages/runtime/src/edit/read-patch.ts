// Reads a patch: parses it, resolves its names by the files that exist, and makes the diff for approval.
import { isUtf8 } from 'node:buffer';
import { type Diff, ToolError } from '@codelab/protocol';
import { parseEnvelope } from '../patch/envelope/apply-envelope.ts';
import { isEnvelope, unwrapPatch } from '../patch/envelope/read-envelope.ts';
import { checkFileCount, type FilePatch, type PatchHunk } from '../patch/file-patch.ts';
import { formatPatch } from '../patch/format-patch.ts';
import { parsePatch } from '../patch/parse/parse-patch.ts';
import { resolveNames } from '../patch/parse/resolve-names.ts';
import { patchTree, type TreeChange } from '../patch/patch-tree.ts';
import { countHunkLines } from '../patch/select-hunks.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { relativePath } from '../workspace/paths.ts';
import { tooLarge } from '../workspace/read-bytes.ts';
import { type PatchTarget, readPatchTarget } from './read-patch-target.ts';

/** `hunks` of the diff counts a file without hunks as one choice. */
export type ReadPatch = { files: FilePatch[]; diff: Diff };

type OpenPatch = {
  targets: ReadonlyMap<string, PatchTarget>;
  target(path: string): PatchTarget;
  /** Applies these files to the current tree. */
  apply(files: readonly FilePatch[]): TreeChange[];
  /** Resolves which files the patch means: the reading of its names with which `apply` succeeds. */
  settle(apply: (files: readonly FilePatch[]) => unknown): FilePatch[];
};

export function openPatch(text: string, context: PlanContext): OpenPatch {
  const parsed = readPatch(text, context);
  checkFileCount(parsed, context.limits.patchFiles);
  const links = new Set(parsed.flatMap(({ isLink, oldPath, newPath }) => (isLink ? [oldPath, newPath] : [])));
  const targets = new Map<string, PatchTarget>();
  const target = (path: string): PatchTarget => {
    const target = targets.get(path) ?? readPatchTarget(path, context, links.has(path));
    targets.set(path, target);
    return target;
  };
  // Most diffs are ASCII, where characters equal bytes. The context lines of an envelope come from the files.
  const isPlain = !isEnvelope(text) && Buffer.byteLength(text) === text.length;
  return {
    targets,
    target,
    apply: (patches) =>
      patchTree(isPlain ? patches : patches.map(asBytes), (path) => {
        const { state, text: content, mode } = target(path);
        return state === null ? undefined : { text: content, mode };
      }),
    settle: (apply) =>
      resolveNames(parsed, {
        kindOf: (path) => (isFile(() => target(path)) ? 'file' : kindOf(path, context)),
        doesApply: (patches) => doesApply(() => apply(patches)),
      }),
  };
}

/** A patch whose files are not here, so whether it applies is unknown. */
export function readPatchAlone(text: string, context: PlanContext): ReadPatch {
  if (isEnvelope(text))
    throw new ToolError(
      'PATCH_APPLY_FAILED',
      'This form of patch can only be read where the files are. Send a unified diff (`diff --git`) instead.',
    );
  const files = readPatch(text, context);
  checkFileCount(files, context.limits.patchFiles);
  return { files, diff: describePatch(files, context.limits.diffBytes) };
}

/** A patch whose changes are already in the files, as `git diff` writes it; undefined when they are not. */
export function readAppliedPatch(text: string, context: PlanContext): ReadPatch | undefined {
  return context.workspace.together(() => {
    const { apply, settle } = openPatch(text, context);
    const takeOut = (patches: readonly FilePatch[]): unknown => {
      const back = patches.flatMap(reversed);
      if (back.length === 0)
        throw new ToolError('PATCH_APPLY_FAILED', 'No part of the patch can be compared.');
      return apply(back);
    };
    let files: FilePatch[] | undefined;
    const isIn = doesApply(() => {
      files = settle(takeOut);
      takeOut(files);
    });
    return isIn && files !== undefined
      ? { files, diff: describePatch(files, context.limits.diffBytes) }
      : undefined;
  });
}

/** The patch that reverts a file's changes. The old bytes are not in the patch, so binary files cannot be compared. */
function reversed(file: FilePatch): FilePatch[] {
  if (file.binary || file.operation === 'copy') return [];
  const { oldPath, newPath, oldMode, newMode, operation, hunks, ...rest } = file;
  const opposite = operation === 'create' ? 'delete' : operation === 'delete' ? 'create' : operation;
  const swapped = hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.newStart,
    oldLines: hunk.newLines,
    newStart: hunk.oldStart,
    newLines: hunk.oldLines,
    lines: hunk.lines.map((line) => line.replace(/^[-+]/, (sign) => (sign === '-' ? '+' : '-'))),
  }));
  const modes = {
    ...(newMode !== undefined && { oldMode: newMode }),
    ...(oldMode !== undefined && { newMode: oldMode }),
  };
  return [{ ...rest, ...modes, oldPath: newPath, newPath: oldPath, operation: opposite, hunks: swapped }];
}

/** What may be changed is read anyway, so most names are looked up once; whatever can't be read is only looked at. */
function isFile(read: () => PatchTarget): boolean {
  try {
    return read().state?.type === 'file';
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function kindOf(path: string, { workspace, limits }: PlanContext): 'file' | 'folder' | 'none' {
  using place = workspace.locate(path, { followLast: false, access: 'read', pathChars: limits.pathChars });
  if (place.stat === undefined) return 'none';
  return place.stat.isDirectory() ? 'folder' : 'file';
}

function doesApply(apply: () => unknown): boolean {
  try {
    apply();
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function readPatch(patch: string, context: PlanContext): FilePatch[] {
  const { diffBytes } = context.limits;
  if (Buffer.byteLength(patch) > diffBytes) throw tooLarge('The patch', Buffer.byteLength(patch), diffBytes);
  // Models trim their patches. A line that was really cut would contradict its hunk's counts.
  const text = patch.endsWith('\n') ? patch : `${patch}\n`;
  const spell = (path: string): string => relativePath(context.workspace.root, path);
  if (!isEnvelope(text)) return parsePatch(unwrapPatch(text)).map((file) => withRelativePaths(file, spell));
  const readOld = (path: string): string => {
    const { state, text: content } = readPatchTarget(path, context);
    if (state === null)
      throw new ToolError('PATCH_APPLY_FAILED', `${path}: there is no such file.`, { file: path });
    if (content.includes('\0'))
      throw new ToolError('ENCODING_ERROR', `${path} is a binary file; it was left as it is.`);
    const bytes = Buffer.from(content, 'latin1');
    if (!isUtf8(bytes))
      throw new ToolError(
        'ENCODING_ERROR',
        `${path} is not UTF-8 text; it was left as it is. Send the change as a unified diff (\`diff --git\`) instead.`,
      );
    return bytes.toString('utf8');
  };
  return parseEnvelope(text, readOld, spell);
}

function withRelativePaths(file: FilePatch, spell: (path: string) => string): FilePatch {
  const relative = (path: string | null): string | null => (path === null ? null : spell(path));
  const { oldPath, newPath, names } = file;
  return {
    ...file,
    oldPath: relative(oldPath),
    newPath: relative(newPath),
    ...(names && { names: { ...names, old: relative(names.old), new: relative(names.new) } }),
  };
}

// Files are compared byte by byte, so the patch's characters become bytes as well.
function asBytes(file: FilePatch): FilePatch {
  return {
    ...file,
    hunks: file.hunks.map((hunk): PatchHunk => ({ ...hunk, lines: hunk.lines.map(latin1) })),
  };
}

function latin1(line: string): string {
  return Buffer.from(line, 'utf8').toString('latin1');
}

export function describePatch(files: readonly FilePatch[], maxBytes: number): Diff {
  const text = formatPatch(files, 'notice');
  const { additions, deletions } = countHunkLines(files.flatMap((file) => file.hunks));
  // A file without hunks (renamed, or with a new mode) counts as one choice.
  const hunks = files.reduce((sum, file) => sum + Math.max(1, file.hunks.length), 0);
  return { text: text.slice(0, maxBytes), additions, deletions, hunks, truncated: text.length > maxBytes };
}
