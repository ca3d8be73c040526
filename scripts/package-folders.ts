/** Finds the third-party packages that files belong to. */
import { relative, sep } from 'node:path';

/** The folders of the packages, from `root`, in order. A file of our own belongs to none. */
export function packageFolders(files: Iterable<string>, root: string): string[] {
  const folders = Array.from(files, (file) => folderOf(relative(root, file).replaceAll(sep, '/')));
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

// Virtual modules of a bundler begin with a NUL; a package may lie inside another one.
function folderOf(path: string): string | undefined {
  return /^(?!.*\0)(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}
