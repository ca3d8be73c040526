// Applies a patch to a tree that is held in memory, as the runtime does on disk: the whole patch or an error.
import type { FilePatch } from '../../packages/runtime/src/patch/file-patch.ts';
import { resolveNames } from '../../packages/runtime/src/patch/parse/resolve-names.ts';
import { patchTree, type TreeFile } from '../../packages/runtime/src/patch/patch-tree.ts';

export type Tree = Map<string, TreeFile>;

export function applyToTree(files: readonly FilePatch[], tree: Tree): Tree {
  const apply = (patches: readonly FilePatch[]) => patchTree(patches, (name) => tree.get(name));
  const resolved = resolveNames(files, {
    kindOf: (path) => kindOf(tree, path),
    doesApply: (patches) => doesFit(() => apply(patches)),
  });
  const result = new Map(tree);
  for (const { path, after } of apply(resolved)) {
    if (after) result.set(path, after);
    else result.delete(path);
  }
  return result;
}

function kindOf(tree: Tree, path: string): 'file' | 'folder' | 'none' {
  if (tree.has(path)) return 'file';
  return [...tree.keys()].some((name) => name.startsWith(`${path}/`)) ? 'folder' : 'none';
}

function doesFit(apply: () => unknown): boolean {
  try {
    apply();
    return true;
  } catch {
    return false;
  }
}
