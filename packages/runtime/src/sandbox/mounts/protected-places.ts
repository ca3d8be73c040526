// Which files and folders of a workspace an unasked command sees read-only or empty: those with a protected name, at any depth. Folders
// that tools fill again are skipped. A folder's result is kept until the folder's change time moves.
import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { createPauses } from '../../platform/steps.ts';
import { protectedNames, secretNames } from '../../policy/protected-names.ts';
import { isBuildFolder } from '../../snapshot/tree-entry.ts';
import { byteName, lossyName, type NamedEntry, readEntriesAsBytes } from '../../workspace/byte-names.ts';
import { errno } from '../../workspace/fault.ts';
import { foldPath } from '../../workspace/paths.ts';

/** Absolute paths; `parents` are the folders between the workspace and its protected paths. */
export type ProtectedPlaces = Readonly<Record<'kept' | 'hidden' | 'gits' | 'parents', readonly string[]>>;

/** `tooMany` says why there are too many paths to protect one by one. */
export type FoundPlaces = ProtectedPlaces | { tooMany: string };

type Kind = 'kept' | 'hidden' | 'gits';
type Hit = { name: string; as: Kind; isLink: boolean };
/** `whole`: the folder has so many of a kind that it is protected as one; `odd`: names that are not UTF-8, which cannot be mounted. */
type Folder = {
  unreadable: string[];
  print: string;
  isSettled: boolean;
  hits: Hit[];
  folders: string[];
  folderKind: Kind | undefined;
};
type Walk = { root: string; found: Record<Kind, string[]>; open: { path: string; isKept: boolean }[] };

const mostFolders = 20_000;
const mostPlaces = 250;
const mostInFolder = 20;
// The clock of a file system may stand still for this long, so a change right before a scan may be followed by an unnoticed one.
const grainMs = 50;
const mostRoots = 16;

const cache = new Map<string, Map<string, Folder>>();

export async function protectedPlaces(root: string): Promise<FoundPlaces> {
  const before = cache.get(root) ?? new Map<string, Folder>();
  const now = new Map<string, Folder>();
  const paths = { kept: [], hidden: [], gits: [] };
  const walk: Walk = { root, found: paths, open: [{ path: '', isKept: false }] };
  const pauses = createPauses();
  for (let next = walk.open.pop(); next !== undefined; next = walk.open.pop()) {
    const folder = lookInto(root, next.path, before.get(next.path));
    if (folder === undefined) continue;
    now.set(next.path, folder);
    const unholdable = folder.unreadable.find((name) => holdsProtected(root, below(next.path, name)));
    if (unholdable !== undefined)
      return {
        tooMany: `${below(next.path, unholdable)} is or holds something to be held, and its name is not UTF-8`,
      };
    enter(walk, next, folder);
    if (now.size > mostFolders) return { tooMany: `the workspace has more than ${mostFolders} folders` };
    if (pauses.isDue()) await pauses.rest();
  }
  remember(root, now);
  const places = { ...paths, parents: parentsOf(root, paths) };
  const total = Object.values(places).flat().length;
  if (total <= mostPlaces) return places;
  return { tooMany: `more than ${mostPlaces} files and folders would have to be held` };
}

function enter({ root, found, open }: Walk, { path, isKept }: Walk['open'][number], folder: Folder): void {
  const { hits, folders, folderKind } = folder;
  if (folderKind !== undefined && !(isKept && folderKind === 'kept'))
    found[folderKind].push(`${root}/${path}`);
  if (folderKind === 'hidden') return;
  const isInside = isKept || folderKind === 'kept';
  for (const { name, as, isLink } of hits) {
    const realPath = isLink ? targetOf(root, below(path, name)) : `${root}/${below(path, name)}`;
    // Paths in a read-only folder need no further mount, unless they are secret.
    if (realPath !== undefined && (as === 'hidden' || !isInside)) found[as].push(realPath);
  }
  const keptNames = new Set(hits.filter(({ as }) => as === 'kept').map(({ name }) => name));
  for (const name of folders) open.push({ path: below(path, name), isKept: isInside || keptNames.has(name) });
}

function lookInto(root: string, path: string, before: Folder | undefined): Folder | undefined {
  const full = `${root}/${path}`;
  try {
    const { ino, dev, ctimeMs } = lstatSync(full);
    const print = `${dev}:${ino}:${ctimeMs}`;
    if (before?.isSettled && before.print === print) return before;
    const isSettled = Date.now() - ctimeMs > grainMs;
    return { print, isSettled, ...sort(readdirSync(full, { withFileTypes: true }), path) };
  } catch (error) {
    // The folder was deleted, or this user, and so the command, may not read it. Any other error must not pass as an empty folder.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errno(error) ?? '')) return undefined;
    throw error;
  }
}

function sort(
  entries: readonly Dirent[],
  path: string,
): Pick<Folder, 'hits' | 'folders' | 'folderKind' | 'unreadable'> {
  const hits: Hit[] = [];
  const folders: string[] = [];
  const unreadable: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (name.includes('\ufffd')) unreadable.push(name);
    const kind = kindOf(below(path, name), name, entry.isDirectory() || entry.isSymbolicLink());
    if (kind !== undefined) hits.push({ name, as: kind, isLink: entry.isSymbolicLink() });
    const isClosed = kind === 'hidden' || kind === 'gits' || (kind === undefined && isBuildFolder(name));
    if (entry.isDirectory() && !isClosed) folders.push(name);
  }
  const crowded = (['hidden', 'kept'] as const).find(
    (kind) => hits.filter(({ as }) => as === kind).length > mostInFolder,
  );
  const folderKind = path === '' ? undefined : crowded;
  return {
    hits: folderKind === undefined ? hits : hits.filter(({ as }) => as !== folderKind),
    folders,
    folderKind,
    unreadable,
  };
}

/** Whether a protected path is at or below a name that was read as UTF-8 but is not. */
function holdsProtected(root: string, path: string): boolean {
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  const pending = oddEntries(`${root}/${folder}`, path.slice(path.lastIndexOf('/') + 1)).map((entry) => ({
    ...entry,
    path: below(folder, entry.name),
  }));
  for (let index = 0; index < pending.length; index++) {
    const { path: entryPath, name, isFolder } = pending[index] ?? { path: '', name: '', isFolder: false };
    if (index > mostFolders || kindOf(entryPath, name, isFolder) !== undefined) return true;
    if (!isFolder || isBuildFolder(name)) continue;
    for (const entry of readNamed(`${root}/${entryPath}`))
      pending.push({ ...entry, path: below(entryPath, entry.name) });
  }
  return false;
}

function oddEntries(folder: string, lossy: string): NamedEntry[] {
  return readNamed(folder).filter(({ name }) => !name.isWellFormed() && lossyName(name) === lossy);
}

// The folder was deleted, or this user, and so the command, may not read it.
function readNamed(path: string): NamedEntry[] {
  try {
    return readEntriesAsBytes(byteName(path));
  } catch {
    return [];
  }
}

// Thousands of names are tested, so the table is compiled to sets and expressions. Its patterns are our own and contain only `*`.
function compile(patterns: readonly string[]): (text: string) => boolean {
  const plainOnes = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const wild = patterns.filter((pattern) => pattern.includes('*')).map(expressionOf);
  const test = new RegExp(`^(?:${wild.join('|')})$`, 's');
  return (text) => plainOnes.has(text) || (wild.length > 0 && test.test(text));
}

function expressionOf(pattern: string): string {
  return pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/^\*\*\//, '(?:.+/)?')
    .replace(/\/\*\*$/, '/.+')
    .replace(/\*/g, '[^/]*');
}

const folded = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
const isOneName = (pattern: string): boolean => !pattern.includes('/');
const others = [...folded(protectedNames), '.codelab'];
const isSecretName = compile(folded(secretNames).filter(isOneName));
const isProtectedName = compile(others.filter(isOneName));
const isProtectedPath = compile(others.filter((pattern) => !isOneName(pattern)));

function kindOf(path: string, name: string, isFolder: boolean): Kind | undefined {
  const foldedName = plainAscii.test(name) ? name.toLowerCase() : foldPath(name);
  if (foldedName === '.git') return 'gits';
  if (isSecretName(foldedName)) return 'hidden';
  if (isProtectedName(foldedName)) return 'kept';
  const foldedPath = plainAscii.test(path) ? path.toLowerCase() : foldPath(path);
  // A folder in which every file would be protected is protected itself, so that no new file can be added.
  return isProtectedPath(foldedPath) || (isFolder && isProtectedPath(`${foldedPath}/x`)) ? 'kept' : undefined;
}

// Most names need only case folding.
const plainAscii = /^[\w./-]*[\w/-]$/;

/** As separate mounts, parent folders cannot be moved away and replaced by folders with other files. */
function parentsOf(root: string, { kept, hidden, gits }: Record<Kind, readonly string[]>): string[] {
  const closed = new Set([...kept, ...gits]);
  const parents = new Set<string>();
  for (const place of [...kept, ...hidden, ...gits]) {
    const names = place.slice(root.length + 1).split('/');
    for (let i = 1; i < names.length; i++) {
      const parent = `${root}/${names.slice(0, i).join('/')}`;
      if (closed.has(parent)) break;
      parents.add(parent);
    }
  }
  return [...parents];
}

// A link cannot be protected itself, only its target; a target outside the workspace is not visible anyway.
function targetOf(root: string, path: string): string | undefined {
  try {
    const target = realpathSync.native(`${root}/${path}`);
    return target.startsWith(`${root}/`) ? target : undefined;
  } catch {
    return undefined;
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

function remember(root: string, folders: Map<string, Folder>): void {
  cache.delete(root);
  cache.set(root, folders);
  for (const oldest of cache.keys()) {
    if (cache.size <= mostRoots) return;
    cache.delete(oldest);
  }
}
