// Paths that the core and the wire spell alike.
import type { PathSpelling } from './path-spelling.ts';

export const plainPaths: PathSpelling = { toCore: (path) => path, like: (core) => core };
