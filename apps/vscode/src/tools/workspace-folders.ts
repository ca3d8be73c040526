// The open folders as the agent sees them: a single folder is the workspace itself; several are its top-level directories, by name.
import { leavesFolder, normalizePath, ToolError } from '@codelab/protocol';

export type Folder = { name: string; root: string };

/** The folder that a path of the agent leads to. `top` is the list of folders itself, which is no directory on the disk. */
export type RoutedPath = { folder: Folder; path: string } | 'top';

/** Folders may have the same name: later ones get a number. */
export function nameFolders(folders: readonly Folder[]): Folder[] {
  const used = new Map<string, number>();
  return folders.map(({ name, root }) => {
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return { name: count === 1 ? name : `${name} (${count})`, root };
  });
}

export function routePath(folders: readonly Folder[], requestedPath: string): RoutedPath {
  const [only, second] = folders;
  if (only === undefined)
    throw new ToolError('PERMISSION_DENIED', 'No folder is open in the editor. Open one, then try again.');
  if (second === undefined) return { folder: only, path: requestedPath };
  const absolute = folders.find(({ root }) => requestedPath === root || requestedPath.startsWith(`${root}/`));
  if (absolute !== undefined)
    return { folder: absolute, path: requestedPath.slice(absolute.root.length + 1) || '.' };
  const path = normalizePath(requestedPath);
  if (leavesFolder(path))
    throw new ToolError('PATH_OUTSIDE_WORKSPACE', `${requestedPath} leads out of the workspace.`, {
      reason: 'traversal',
    });
  const [first = '', ...rest] = path.split('/').filter((part) => part !== '.' && part !== '');
  if (first === '') return 'top';
  const folder = folders.find(({ name }) => name === first);
  if (folder === undefined)
    throw new ToolError(
      'FILE_NOT_FOUND',
      `The workspace has several folders; begin the path with one of them: ${folders.map(({ name }) => name).join(', ')}.`,
    );
  return { folder, path: rest.join('/') || '.' };
}

/** Rewrites the paths of an answer to the names that the agent uses. */
export function spelledIn(folder: Folder, folders: readonly Folder[], output: unknown): unknown {
  if (folders.length < 2 || typeof output !== 'object' || output === null) return output;
  const named = <T extends object>(value: T): T =>
    'path' in value && typeof value.path === 'string'
      ? { ...value, path: under(folder.name, value.path) }
      : value;
  const { entries } = output as { entries?: unknown };
  if (!Array.isArray(entries)) return named(output);
  return { ...named(output), entries: entries.map((entry) => named(entry as object)) };
}

function under(name: string, path: string): string {
  return path === '.' || path === '' ? name : `${name}/${path.replace(/^\.\//, '')}`;
}
