// How each dialect spells paths, and the conversion to the core's spelling.
import { normalizePath } from '@codelab/protocol';
import type { Json, PathSpelling, WireTool } from '../dialect.ts';

/** The arguments with a path, in the core and on every wire. */
export const pathArguments: readonly string[] = ['path', 'from', 'to', 'file_path', 'notebook_path', 'cwd'];
export const pathLists: readonly string[] = ['files', 'paths'];

/** Arguments with the same names in the core and on the wire, with their paths in the core's spelling. */
export function coreArguments(args: Json, paths: PathSpelling): Json {
  const core = { ...args };
  for (const name of pathArguments) if (typeof args[name] === 'string') core[name] = paths.toCore(args[name]);
  for (const name of pathLists)
    if (Array.isArray(args[name])) core[name] = args[name].map((path) => paths.toCore(String(path)));
  return core;
}

/** For the row of a tool whose arguments have the same names in the core and on the wire. */
export const sameArguments: WireTool['toCore'] = (args, { paths }) => coreArguments(args, paths);

/** A path as a client wrote it, in the core's spelling: a leading slash means the root of the workspace. */
export function corePath(path: unknown): string {
  const text = String(path ?? '')
    .replace(/^(?:\.?\/+)+/, '')
    .replace(/\/+$/, '');
  return text === '' ? '.' : text;
}

/** The paths of seed 002: `..` within the workspace is resolved, as the seed requires. */
export const normalizedPaths: PathSpelling = { toCore: normalizePath, like: (core) => core };

/** Paths with the same spelling in the core and on the wire. */
export const plainPaths: PathSpelling = { toCore: (path) => path, like: (core) => core };

/** The paths of seed 001: absolute ones below the workspace, which the core gives from its root. Any other is passed on unchanged. */
export function workspacePaths(root: string): PathSpelling {
  const above = root.replace(/\/+$/, '');
  return {
    toCore(path) {
      if (path === above) return '.';
      return path.startsWith(`${above}/`) ? path.slice(above.length).replace(/^\/+/, '') || '.' : path;
    },
    like: (core, requested) =>
      requested.startsWith('/') ? (core === '.' ? above : `${above}/${core}`) : core,
  };
}

/** Like `paths`, with relative paths that start from a folder of the workspace. */
export function pathsFrom(paths: PathSpelling, workingDir: string): PathSpelling {
  if (workingDir === '.') return paths;
  return {
    workingDir,
    toCore: (path) => (path.startsWith('/') ? paths.toCore(path) : normalizePath(`${workingDir}/${path}`)),
    like(core, requested) {
      if (requested.startsWith('/') || !core.startsWith(`${workingDir}/`)) return paths.like(core, '/');
      return core.slice(workingDir.length + 1);
    },
  };
}

/** The paths of seed 004: a leading slash means the workspace root, never the root of the disk. */
export const rootedPaths: PathSpelling = {
  toCore: (path) => (path.startsWith('/') ? path.replace(/^\/+/, '') || '.' : path),
  // The seed's own calls write the root as `.`; a caller who used a slash gets a slash back.
  like: (core, requested) =>
    requested.startsWith('/') && !(core === '.' && requested !== '/') ? slashed(core) : core,
};

function slashed(core: string): string {
  return core === '.' ? '/' : `/${core}`;
}

/** Like `rootedPaths`, for a known workspace: its absolute path as a prefix means its root too. */
export function rootedPathsAt(root: string): PathSpelling {
  const absolute = workspacePaths(root);
  const isAbsolute = (path: string): boolean => absolute.toCore(path) !== path;
  return {
    toCore: (path) => (isAbsolute(path) ? absolute.toCore(path) : rootedPaths.toCore(path)),
    like: (core, requested) => (isAbsolute(requested) ? absolute : rootedPaths).like(core, requested),
  };
}

type Entry = {
  name: string;
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  target?: 'file' | 'directory' | 'other';
  size?: number;
  modified?: string;
};

/** Also true for a link to a folder of the workspace, because its entries can be listed. */
export function isFolder({ type, target }: Pick<Entry, 'type' | 'target'>): boolean {
  return type === 'directory' || target === 'directory';
}

/** The entries of a listing, with paths that continue the directory as the caller spelled it. */
export function spelledEntries(data: Json, wireArgs: Json): Entry[] {
  const listed = data.path === '.' ? '' : `${data.path}/`;
  const prefix = prefixOf(typeof wireArgs.path === 'string' ? wireArgs.path : '.');
  return (data.entries as Entry[]).map((entry) => ({
    ...entry,
    path: prefix + entry.path.slice(listed.length),
  }));
}

function prefixOf(directory: string): string {
  if (directory === '.' || directory === '') return '';
  return directory.endsWith('/') ? directory : `${directory}/`;
}

/** The path of a match in the caller's spelling: below the caller's directory, or the file as the caller named it. */
export function spelledPlace(data: Json, wireArgs: Json): (path: string) => string {
  const searched = String(data.path);
  const spelled = typeof wireArgs.path === 'string' && wireArgs.path !== '' ? wireArgs.path : '.';
  const prefix = spelled === '.' ? '' : spelled.endsWith('/') ? spelled : `${spelled}/`;
  const below = searched === '.' ? 0 : searched.length + 1;
  return (path) => (path === searched ? spelled : prefix + path.slice(below));
}
