// The entries of a checkout, without git's own files, which undo leaves alone.
import { treeState } from './tree-state.ts';

export function worktreeState(root: string): Record<string, string> {
  const entries = Object.entries(treeState(root)).filter(
    ([path]) => path !== '.' && !/^\.git(\/|$)/.test(path),
  );
  // A folder's link count depends on its subfolders, which are listed themselves.
  return Object.fromEntries(
    entries.map(([path, text]) => [path, text.replace(/^(directory .*) ×\d+/, '$1')]),
  );
}
