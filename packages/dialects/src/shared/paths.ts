// How each dialect spells paths, and the same place as the core spells it.
import { normalizePath } from '@codelab/protocol';
import type { Json, PathSpelling, WireTool } from '../dialect.ts';

/** The arguments that hold a path, in the core and on every wire. */
export const pathArguments: readonly string[] = ['path', 'from', 'to', 'file_path', 'notebook_path', 'cwd'];
export const pathLists: readonly string[] = ['files', 'paths'];

/** Arguments that the core calls as the wire does, with their paths in the core's spelling. */
export function coreArguments(args: Json, paths: PathSpelling): Json {
  const core = { ...args };
  for (const name of pathArguments) if (typeof args[name] === 'string') core[name] = paths.toCore(args[name]);
  for (const name of pathLists)
    if (Array.isArray(args[name])) core[name] = args[name].map((path) => paths.toCore(String(path)));
  return core;
}

/** For the row of a tool whose arguments the core calls as the wire does. */
export const sameArguments: WireTool['toCore'] = (args, { paths }) => coreArguments(args, paths);

/** A place as a client wrote it, in the core's spelling: a slash in front means the root of the workspace. */
export function corePath(path: unknown): string {
  const text = String(path ?? '')
    .replace(/^(?:\.?\/+)+/, '')
    .replace(/\/+$/, '');
  return text === '' ? '.' : text;
}

/** Seed 002's paths: one that turns back within the workspace is normalized, as the seed says. */
export const normalizedPaths: PathSpelling = { toCore: normalizePath, like: (core) => core };

/** Paths that the core and the wire spell alike. */
export const plainPaths: PathSpelling = { toCore: (path) => path, like: (core) => core };

/** Seed 001's paths: absolute ones below the workspace, which the core names from its root. Any other goes on as it is. */
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

/** The same, with relative paths that start from a folder of the workspace. */
export function pathsFrom(paths: PathSpelling, workingDir: string): PathSpelling {
  if (workingDir === '.') return paths;
  return {
    workingDir,
    toCore: (path) => (path.startsWith('/') ? paths.toCore(path) : normalizePath(`${workingDir}/${path}`)),
    like(core, asked) {
      if (asked.startsWith('/') || !core.startsWith(`${workingDir}/`)) return paths.like(core, '/');
      return core.slice(workingDir.length + 1);
    },
  };
}

/** Seed 004's paths: a leading slash means the workspace root, never the root of the disk. */
export const rootedPaths: PathSpelling = {
  toCore: (path) => (path.startsWith('/') ? path.replace(/^\/+/, '') || '.' : path),
  // The seed's own calls write the root as `.`, and whoever asked with a slash gets it with one.
  like: (core, asked) => (asked.startsWith('/') && !(core === '.' && asked !== '/') ? slashed(core) : core),
};

function slashed(core: string): string {
  return core === '.' ? '/' : `/${core}`;
}

/** The same where the workspace is known: its absolute path in front means its root too. */
export function rootedPathsAt(root: string): PathSpelling {
  const absolute = workspacePaths(root);
  const isAbsolute = (path: string): boolean => absolute.toCore(path) !== path;
  return {
    toCore: (path) => (isAbsolute(path) ? absolute.toCore(path) : rootedPaths.toCore(path)),
    like: (core, asked) => (isAbsolute(asked) ? absolute : rootedPaths).like(core, asked),
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

/** Also a link to a folder of the workspace: whoever lists it can list what is in it. */
export function isFolder({ type, target }: Pick<Entry, 'type' | 'target'>): boolean {
  return type === 'directory' || target === 'directory';
}

/** The entries of a listing, with paths that go on from the directory as the caller spelled it. */
export function spelledEntries(data: Json, asked: Json): Entry[] {
  const listed = data.path === '.' ? '' : `${data.path}/`;
  const prefix = prefixOf(typeof asked.path === 'string' ? asked.path : '.');
  return (data.entries as Entry[]).map((entry) => ({
    ...entry,
    path: prefix + entry.path.slice(listed.length),
  }));
}

function prefixOf(directory: string): string {
  if (directory === '.' || directory === '') return '';
  return directory.endsWith('/') ? directory : `${directory}/`;
}

/** Where something was found, in the caller's spelling: their directory goes on into it, a file they named is as they named it. */
export function spelledPlace(data: Json, asked: Json): (path: string) => string {
  const searched = String(data.path);
  const spelled = typeof asked.path === 'string' && asked.path !== '' ? asked.path : '.';
  const prefix = spelled === '.' ? '' : spelled.endsWith('/') ? spelled : `${spelled}/`;
  const below = searched === '.' ? 0 : searched.length + 1;
  return (path) => (path === searched ? spelled : prefix + path.slice(below));
}
