// Applies a patch to a tree that is held in memory, as the runtime does on disk: the whole patch or an error.
import type { FilePatch } from '../../packages/runtime/src/patch/file-patch.ts';
import { patchTree, type TreeFile } from '../../packages/runtime/src/patch/patch-tree.ts';

export type Tree = Map<string, TreeFile>;

export function applyToTree(files: readonly FilePatch[], tree: Tree): Tree {
  const result = new Map(tree);
  for (const { path, after } of patchTree(files, (name) => tree.get(name))) {
    if (after) result.set(path, after);
    else result.delete(path);
  }
  return result;
}
