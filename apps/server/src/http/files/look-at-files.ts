// Views of the workspace besides texts: folders, git's marks, pictures, and matching lines. Read under the rules of the tools, and not
// recorded.
import type { FileMark, FolderEntry, fileRoutes, RouteAnswer, RouteQuery, SearchMatch } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { type Host, readUnrecorded } from '@codelab/runtime';

type Status = { entries: { path: string; index: string; worktree: string }[]; truncated: boolean };

const maxEntries = 10_000;

export async function listFolder(host: Host, path: string): Promise<RouteAnswer<typeof fileRoutes.list>> {
  const { data } = await readUnrecorded(host, {
    tool: 'list_files',
    args: { path, include_hidden: true },
    limits: { listEntries: maxEntries },
  });
  const entries = data.entries as FolderEntry[];
  const isFolder = ({ type }: FolderEntry): boolean => type === 'directory';
  return {
    path: String(data.path),
    entries: [...entries.filter(isFolder), ...entries.filter((entry) => !isFolder(entry))],
    truncated: data.truncated === true,
  };
}

export async function gitMarks(
  host: Host,
  signal: AbortSignal,
): Promise<RouteAnswer<typeof fileRoutes.marks>> {
  try {
    const args = { path: '.' };
    const limits = { listEntries: maxEntries };
    const { data } = await readUnrecorded(host, { tool: 'git.status', args, limits, signal });
    const { entries, truncated } = data as Status;
    return { marks: entries.map(markOf), truncated };
  } catch (error) {
    // Without a repository, without git, or under a deny rule, the tree is shown without marks.
    if (error instanceof ToolError) return { marks: [], truncated: false };
    throw error;
  }
}

function markOf({ path, index, worktree }: Status['entries'][number]): FileMark {
  const letters = index + worktree;
  const mark = letters.includes('U')
    ? 'conflict'
    : worktree === 'D' || index === 'D'
      ? 'deleted'
      : /[?AR]/.test(letters)
        ? 'added'
        : 'changed';
  // A folder that git does not know ends with a slash.
  return { path: path.replace(/\/$/, ''), mark };
}

export async function readPicture(host: Host, path: string): Promise<RouteAnswer<typeof fileRoutes.picture>> {
  const { data } = await readUnrecorded(host, { tool: 'read_file', args: { path, as_image: true } });
  const [image] = (data.images ?? []) as { mediaType: string; data: string }[];
  if (image === undefined)
    throw new ToolError('ENCODING_ERROR', `${path} is no PNG, JPEG, GIF or WebP image of up to 3.75 MB.`);
  return { path: String(data.path), media_type: image.mediaType, data: image.data };
}

type Search = RouteQuery<typeof fileRoutes.search>;
type Match = Omit<SearchMatch, 'path'> & { file: string };

export async function searchWorkspaceLines(
  host: Host,
  { query, regex, case_sensitive, file_pattern, limit }: Search,
  signal: AbortSignal,
): Promise<RouteAnswer<typeof fileRoutes.search>> {
  const { data } = await readUnrecorded(host, {
    tool: 'search_in_project',
    args: {
      query,
      regex: regex === 'true',
      case_sensitive: case_sensitive === 'true',
      max_results: limit,
      ...(file_pattern !== undefined && { file_pattern }),
    },
    signal,
  });
  const matches = (data.matches as Match[]).map(({ file: path, line, column, text, match }) => ({
    ...{ path, line, column, text, match },
  }));
  return { matches, truncated: data.truncated === true };
}
