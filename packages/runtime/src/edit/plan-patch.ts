/** Turns a patch into file changes: parsed and applied in memory to the current files, all of it or nothing. */
import type { Diff, Effect, FileState } from '@codelab/protocol';
import type { FilePatch } from '../patch/file-patch.ts';
import { isLinkMode } from '../patch/parse/parse-git-header.ts';
import type { TreeChange } from '../patch/patch-tree.ts';
import { digest } from '../platform/digest.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { type Change, newTemp } from '../workspace/commit/change.ts';
import { tooLarge } from '../workspace/read-bytes.ts';
import { missingDirectories } from '../workspace/text-files.ts';
import { describePatch, openPatch } from './read-patch.ts';
import { checkLinkTarget, type PatchTarget } from './read-patch-target.ts';

export type PatchedFile = TreeChange & { target: PatchTarget };

export type PlannedPatch = {
  files: FilePatch[];
  patched: PatchedFile[];
  /** Every file that the patch reads, by path. */
  targets: ReadonlyMap<string, PatchTarget>;
  changes: Change[];
  diff: Diff;
};

export function planPatch(text: string, context: PlanContext): PlannedPatch {
  return context.workspace.together(() => planTogether(text, context));
}

function planTogether(text: string, context: PlanContext): PlannedPatch {
  const { apply, settle, target, targets } = openPatch(text, context);
  const files = settle(apply);
  const patched = apply(files).map((change) => ({ ...change, target: target(change.path) }));
  const createdFolders = new Set<string>();
  const changes = patched.flatMap((change, i) => [
    ...newDirectories(change.target, createdFolders),
    toChange(change, i, context),
  ]);
  return { files, patched, targets, changes, diff: describePatch(files, context.limits.diffBytes) };
}

function newDirectories({ path, missing, state }: PatchTarget, createdFolders: Set<string>): Change[] {
  const directories = state === null ? missingDirectories({ path, missing }) : [];
  return directories.filter(
    ({ intent }) => !createdFolders.has(intent.path) && createdFolders.add(intent.path),
  );
}

function toChange({ path, after, target }: PatchedFile, index: number, context: PlanContext): Change {
  const { limits } = context;
  const { identity: expected, state } = target;
  const keptItem = state === null ? {} : { trashId: String(index) };
  if (after === null)
    return {
      op: 'remove',
      expected,
      temp: newTemp(),
      intent: { op: 'delete', path, before: state, after: null, ...keptItem },
    };
  if (isLinkMode(after.mode))
    return putLink(path, checkLinkTarget(path, after.text, context), target, keptItem);
  const bytes = Buffer.from(after.text, 'latin1');
  if (bytes.length > limits.patchedFileBytes) throw tooLarge(path, bytes.length, limits.patchedFileBytes);
  const isNew = state === null;
  const mode = isNew ? (after.mode & 0o111 ? 0o777 : 0o666) & ~process.umask() : after.mode & 0o7777;
  const intent: Effect = {
    op: isNew ? 'create' : 'update',
    path,
    before: state,
    after: { type: 'file', size: bytes.length, mode, digest: digest(bytes) },
    ...keptItem,
  };
  const put = { op: 'put', expected, temp: newTemp(), source: { bytes, mode }, intent } as const;
  return isNew ? put : { ...put, old: target.bytes };
}

function putLink(
  path: string,
  link: string,
  { identity: expected, state }: PatchTarget,
  keptItem: { trashId?: string },
): Change {
  const after: FileState = {
    type: 'symlink',
    size: Buffer.byteLength(link),
    mode: 0o777,
    digest: digest(link),
  };
  const intent: Effect = {
    op: state === null ? 'create' : 'update',
    path,
    before: state,
    after,
    ...keptItem,
  };
  return { op: 'put', expected, temp: newTemp(), source: { link }, intent };
}
