// What stands in a checkout, without git's own files, which undo leaves alone.
import { treeState } from './tree-state.ts';

export function worktreeState(root: string): Record<string, string> {
  const entries = Object.entries(treeState(root)).filter(
    ([path]) => path !== '.' && !/^\.git(\/|$)/.test(path),
  );
  // How many folders a folder holds is told by the folders themselves.
  return Object.fromEntries(
    entries.map(([path, text]) => [path, text.replace(/^(directory .*) ×\d+/, '$1')]),
  );
}
