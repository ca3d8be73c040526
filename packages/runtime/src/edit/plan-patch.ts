/** From a patch to the changes of files it means: parsed, applied in memory to what is there now, all of it or nothing. */
import { isUtf8 } from 'node:buffer';
import { type Diff, type Effect, type FileState, ToolError } from '@codelab/protocol';
import { parseEnvelope } from '../patch/apply-envelope.ts';
import { checkFileCount, type FilePatch, type PatchHunk } from '../patch/file-patch.ts';
import { formatPatch } from '../patch/format-patch.ts';
import { isLinkMode } from '../patch/parse-git-header.ts';
import { parsePatch } from '../patch/parse-patch.ts';
import { patchTree, type TreeChange } from '../patch/patch-tree.ts';
import { isEnvelope, unwrapPatch } from '../patch/read-envelope.ts';
import { countLines } from '../patch/select-hunks.ts';
import { settleNames } from '../patch/settle-names.ts';
import { digest } from '../platform/digest.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { type Change, newTemp } from '../workspace/change.ts';
import { relativePath } from '../workspace/paths.ts';
import { tooLarge } from '../workspace/read-bytes.ts';
import { missingDirectories } from '../workspace/text-change.ts';
import { checkLinkTarget, type PatchTarget, readPatchTarget } from './read-patch-target.ts';

export type PatchedFile = TreeChange & { target: PatchTarget };

export type PlannedPatch = {
  files: FilePatch[];
  patched: PatchedFile[];
  /** Every file that the patch reads, by its path. */
  targets: ReadonlyMap<string, PatchTarget>;
  changes: Change[];
  diff: Diff;
};

export function planPatch(text: string, context: PlanContext): PlannedPatch {
  return context.workspace.together(() => planTogether(text, context));
}

/** A patch whose changes are in the files already, as `git diff` writes them; undefined when they are not. */
export function readAppliedPatch(
  text: string,
  context: PlanContext,
): Pick<PlannedPatch, 'files' | 'diff'> | undefined {
  return context.workspace.together(() => {
    const { apply, settle } = openPatch(text, context);
    const takeOut = (some: readonly FilePatch[]): unknown => apply(some.flatMap(reversed));
    let files: FilePatch[] | undefined;
    const isIn = doesApply(() => {
      files = settle(takeOut);
      takeOut(files);
    });
    return isIn && files !== undefined
      ? { files, diff: describe(files, context.limits.diffBytes) }
      : undefined;
  });
}

function planTogether(text: string, context: PlanContext): PlannedPatch {
  const { apply, settle, target, targets } = openPatch(text, context);
  const files = settle(apply);
  const patched = apply(files).map((change) => ({ ...change, target: target(change.path) }));
  const made = new Set<string>();
  const changes = patched.flatMap((one, i) => [
    ...newDirectories(one.target, made),
    toChange(one, i, context),
  ]);
  return { files, patched, targets, changes, diff: describe(files, context.limits.diffBytes) };
}

type OpenPatch = {
  targets: ReadonlyMap<string, PatchTarget>;
  target(path: string): PatchTarget;
  /** What these files make of the tree as it is. */
  apply(files: readonly FilePatch[]): TreeChange[];
  /** The files that the patch means, those that `apply` can do something with. */
  settle(apply: (files: readonly FilePatch[]) => unknown): FilePatch[];
};

function openPatch(text: string, context: PlanContext): OpenPatch {
  const parsed = readPatch(text, context);
  checkFileCount(parsed, context.limits.patchFiles);
  const links = new Set(parsed.flatMap(({ isLink, oldPath, newPath }) => (isLink ? [oldPath, newPath] : [])));
  const targets = new Map<string, PatchTarget>();
  const target = (path: string): PatchTarget => {
    const known = targets.get(path) ?? readPatchTarget(path, context, links.has(path));
    targets.set(path, known);
    return known;
  };
  // Most diffs are plain ASCII: then their characters are their bytes already. The context of an envelope's hunks comes from the files.
  const isPlain = !isEnvelope(text) && Buffer.byteLength(text) === text.length;
  return {
    targets,
    target,
    apply: (some) =>
      patchTree(isPlain ? some : some.map(asBytes), (path) => {
        const { state, text: content, mode } = target(path);
        return state === null ? undefined : { text: content, mode };
      }),
    settle: (apply) =>
      settleNames(parsed, {
        kindOf: (path) => kindOf(path, context),
        fits: (some) => doesApply(() => apply(some)),
      }),
  };
}

/** What takes a file's changes out again. The bytes before are not in the patch, so binary files can't be compared. */
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

function readPatch(given: string, context: PlanContext): FilePatch[] {
  const { diffBytes } = context.limits;
  if (Buffer.byteLength(given) > diffBytes) throw tooLarge('The patch', Buffer.byteLength(given), diffBytes);
  // Models trim what they send; a line that was really cut does not fit its hunk's counts.
  const text = given.endsWith('\n') ? given : `${given}\n`;
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

// The files are compared byte by byte, so the patch's own characters become bytes as well.
function asBytes(file: FilePatch): FilePatch {
  return {
    ...file,
    hunks: file.hunks.map((hunk): PatchHunk => ({ ...hunk, lines: hunk.lines.map(latin1) })),
  };
}

function latin1(line: string): string {
  return Buffer.from(line, 'utf8').toString('latin1');
}

function newDirectories({ path, missing, state }: PatchTarget, made: Set<string>): Change[] {
  const wanted = state === null ? missingDirectories({ path, missing }) : [];
  return wanted.filter(({ intent }) => !made.has(intent.path) && made.add(intent.path));
}

function toChange({ path, after, target }: PatchedFile, index: number, context: PlanContext): Change {
  const { limits } = context;
  const { identity: expected, state } = target;
  const kept = state === null ? {} : { trashId: String(index) };
  if (after === null)
    return {
      op: 'remove',
      expected,
      temp: newTemp(),
      intent: { op: 'delete', path, before: state, after: null, ...kept },
    };
  if (isLinkMode(after.mode)) return putLink(path, checkLinkTarget(path, after.text, context), target, kept);
  const bytes = Buffer.from(after.text, 'latin1');
  if (bytes.length > limits.patchedFileBytes) throw tooLarge(path, bytes.length, limits.patchedFileBytes);
  const isNew = state === null;
  const mode = isNew ? (after.mode & 0o111 ? 0o777 : 0o666) & ~process.umask() : after.mode & 0o7777;
  const intent: Effect = {
    op: isNew ? 'create' : 'update',
    path,
    before: state,
    after: { type: 'file', size: bytes.length, mode, digest: digest(bytes) },
    ...kept,
  };
  const put = { op: 'put', expected, temp: newTemp(), source: { bytes, mode }, intent } as const;
  return isNew ? put : { ...put, old: target.bytes };
}

function putLink(
  path: string,
  link: string,
  { identity: expected, state }: PatchTarget,
  kept: { trashId?: string },
): Change {
  const after: FileState = {
    type: 'symlink',
    size: Buffer.byteLength(link),
    mode: 0o777,
    digest: digest(link),
  };
  const intent: Effect = { op: state === null ? 'create' : 'update', path, before: state, after, ...kept };
  return { op: 'put', expected, temp: newTemp(), source: { link }, intent };
}

function describe(files: readonly FilePatch[], maxBytes: number): Diff {
  const text = formatPatch(files, 'notice');
  const { additions, deletions } = countLines(files.flatMap((file) => file.hunks));
  // A file without hunks, renamed or with another mode, counts as one to choose.
  const hunks = files.reduce((sum, file) => sum + Math.max(1, file.hunks.length), 0);
  return { text: text.slice(0, maxBytes), additions, deletions, hunks, truncated: text.length > maxBytes };
}
