// Refuses a path that is neither on the disk nor known to git. A deleted file is known to git.
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../workspace/workspace.ts';
import { pathSpecs } from './find-repository.ts';
import { gitFailure } from './git-failure.ts';
import { readGitDiff } from './read/read-diff.ts';
import { mustGit, runGit } from './run-git.ts';

type MissingRequest = {
  workspace: Workspace;
  signal: AbortSignal;
  /** Paths that are not on the disk. */
  absent: readonly { asked: string; path: string }[];
};

export async function refuseMissing({ workspace, signal, absent }: MissingRequest): Promise<void> {
  for (const { asked, path } of absent) {
    const shared = { workspace, signal, maxBytes: 1024 };
    const places = pathSpecs(workspace, [path]);
    const tracked = await runGit({ ...shared, args: ['ls-files', '-z', '--', ...places] });
    if (tracked.exitCode !== 0 && !tracked.isCut) throw gitFailure(tracked);
    if (tracked.stdout.length > 0) continue;
    // The file may be deleted and its deletion staged.
    const { paths } = await readGitDiff({ ...shared, sides: 'staged', paths: [path] });
    if (paths.length === 0) throw new ToolError('FILE_NOT_FOUND', `File not found: ${asked}`);
  }
}

// Finds files that a configured filter (such as Git LFS) would convert. Filters are never run, so git would read or write these files in
// the wrong form.
type FilterRequest = { workspace: Workspace; signal: AbortSignal; paths: readonly string[] };

/** Throws when any of the paths needs one of the configured filters. */
export async function refuseFiltered(request: FilterRequest, filters: ReadonlySet<string>): Promise<void> {
  if (filters.size === 0 || request.paths.length === 0) return;
  const [first, ...more] = await filteredPaths(request, filters);
  if (first === undefined) return;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  throw new ToolError(
    'GIT_ERROR',
    `${JSON.stringify(first)}${others} would go through a git filter, and filters are not run here. Do this with git itself.`,
    { reason: 'filter' },
  );
}

async function filteredPaths(
  { workspace, signal, paths }: FilterRequest,
  filters: ReadonlySet<string>,
): Promise<string[]> {
  const { stdout, repository } = await mustGit({
    workspace,
    signal,
    args: ['check-attr', '-z', '--stdin', 'filter'],
    input: pathSpecs(workspace, paths).join('\0'),
  });
  const fields = stdout.toString().split('\0');
  const convertedPaths: string[] = [];
  for (let i = 0; i + 2 < fields.length; i += 3)
    if (filters.has(fields[i + 2] ?? ''))
      convertedPaths.push((fields[i] ?? '').slice(repository.prefix.length));
  return convertedPaths;
}
