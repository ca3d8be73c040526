// Seed 001's paths: absolute ones below the workspace, which the core names from its root. Any other goes on as it is.
import type { PathSpelling } from '../path-spelling.ts';

export function workspacePaths(root: string): PathSpelling {
  const above = root.replace(/\/+$/, '');
  return {
    toCore(path) {
      if (path === above) return '.';
      return path.startsWith(`${above}/`) ? path.slice(above.length).replace(/^\/+/, '') || '.' : path;
    },
    like: (core, asked) => (asked.startsWith('/') ? (core === '.' ? above : `${above}/${core}`) : core),
  };
}
