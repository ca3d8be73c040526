// Seed 004's paths: a leading slash means the workspace root, never the root of the disk. Where the workspace is known, its absolute path in
// front means the same.
import { workspacePaths } from '../kode/workspace-paths.ts';
import type { PathSpelling } from '../path-spelling.ts';

export const rootedPaths: PathSpelling = {
  toCore: (path) => (path.startsWith('/') ? path.replace(/^\/+/, '') || '.' : path),
  like: (core, asked) => (asked.startsWith('/') ? (core === '.' ? '/' : `/${core}`) : core),
};

export function rootedPathsAt(root: string): PathSpelling {
  const absolute = workspacePaths(root);
  const isAbsolute = (path: string): boolean => absolute.toCore(path) !== path;
  return {
    toCore: (path) => (isAbsolute(path) ? absolute.toCore(path) : rootedPaths.toCore(path)),
    like: (core, asked) => (isAbsolute(asked) ? absolute : rootedPaths).like(core, asked),
  };
}
