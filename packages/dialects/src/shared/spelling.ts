// How each dialect spells paths, arguments and messages: from the wire to the core, and back in the caller's own spelling.
import { type Failure, normalizePath } from '@codelab/protocol';
import type { Json, PathSpelling, WireTool } from '../dialect.ts';

/** The arguments with a path, in the core and on every wire. */
const pathArguments: readonly string[] = ['path', 'from', 'to', 'file_path', 'notebook_path', 'cwd'];
const pathLists: readonly string[] = ['files', 'paths'];

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

/** Core arguments as a row can express them on its wire, for a call that a human changed before it ran. */
export function wireArguments(row: WireTool, coreArgs: Json, wireArgs: Json, paths: PathSpelling): Json {
  const core = row.fromCore?.(coreArgs) ?? coreArgs;
  const spelled: Json = {};
  for (const name of Object.keys(row.input().shape)) {
    const value = core[row.names?.[name] ?? name];
    if (value === undefined) continue;
    const like = (path: string): string => paths.like(path, pathIn(wireArgs));
    if (!row.isPathless && isPath(name, value)) spelled[name] = like(value);
    else
      spelled[name] =
        pathLists.includes(name) && Array.isArray(value) ? value.map((path) => like(String(path))) : value;
  }
  return spelled;
}

function isPath(name: string, value: unknown): value is string {
  return pathArguments.includes(name) && typeof value === 'string';
}

function pathIn(wireArgs: Json): string {
  return pathsIn(wireArgs)[0] ?? '';
}

// No message names a long list in full, and a regular expression has its limits.
const maxListed = 100;

function pathsIn(wireArgs: Json): string[] {
  const values = [
    ...pathArguments.map((name) => wireArgs[name]),
    ...pathLists.flatMap((name) => (Array.isArray(wireArgs[name]) ? wireArgs[name].slice(0, maxListed) : [])),
  ];
  return values.filter((value) => typeof value === 'string');
}

// The core never quotes a longer path in full, and a regular expression has its limits.
const maxPath = 4096;

/** Messages of the core quote paths in the core's spelling; this restores the caller's spelling. */
export function respell(message: string, wireArgs: Json, paths: PathSpelling): string {
  const spelled = new Map<string, string>();
  for (const path of pathsIn(wireArgs)) {
    if (path.length > maxPath || paths.toCore(path) === path) continue;
    spelled.set(paths.toCore(path), path);
    spelled.set(quoted(paths.toCore(path)), quoted(path));
  }
  if (spelled.size === 0) return message;
  const longestFirst = [...spelled.keys()].sort((a, b) => b.length - a.length).map(RegExp.escape);
  // Only whole words, and none between backticks: those quote arguments, not paths.
  const words = new RegExp(`(?<=^|[\\s"(])(?:${longestFirst.join('|')})(?=$|[\\s"),;:]|\\.(?:\\s|$))`, 'g');
  return message.replace(words, (word) => spelled.get(word) ?? word);
}

// The path as JSON writes it between quotes.
function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

/** A failure of the core with the caller's names of the tool and its arguments. */
export function renameFailure(row: WireTool | undefined, error: Failure): Failure {
  if (row === undefined) return error;
  const renamed = new Map(Object.entries(row.names ?? {}).map(([wire, core]) => [core, wire]));
  const message = renameTool(row, error.message).replace(/`(\w+)`/g, (quoted, name: string) => {
    const wire = renamed.get(name);
    return wire === undefined ? quoted : `\`${wire}\``;
  });
  const { details } = error;
  if (typeof details?.field !== 'string') return { ...error, message };
  const [first = '', ...rest] = details.field.split('.');
  const field = [renamed.get(first) ?? first, ...rest].join('.');
  return { ...error, message, details: { ...details, field } };
}

// The core puts the name of its tool before a fault, or in quotes.
function renameTool({ name, tool }: WireTool, message: string): string {
  if (name === tool) return message;
  const quoted = message.replaceAll(JSON.stringify(tool), JSON.stringify(name));
  for (const end of [': ', ' ']) if (quoted.startsWith(tool + end)) return name + quoted.slice(tool.length);
  return quoted;
}
