// Seed 004's paths: a leading slash means the workspace root, never the root of the disk.
import type { PathSpelling } from '../path-spelling.ts';

export const rootedPaths: PathSpelling = {
  toCore: (path) => (path.startsWith('/') ? path.replace(/^\/+/, '') || '.' : path),
  like: (core, asked) => (asked.startsWith('/') ? (core === '.' ? '/' : `/${core}`) : core),
};
