// Which files a filter (as large file storage sets one up) would turn into something else. The filters themselves are never run,
// so git would take or leave these files in the wrong form.
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../workspace/workspace.ts';
import { pathSpecs } from './path-specs.ts';
import { mustGit } from './run-git.ts';

type Asked = { workspace: Workspace; signal: AbortSignal; paths: readonly string[] };

/** Throws when any of the paths needs one of the filters that are set up. */
export async function refuseFiltered(asked: Asked, filters: ReadonlySet<string>): Promise<void> {
  if (filters.size === 0 || asked.paths.length === 0) return;
  const [first, ...more] = await filteredPaths(asked, filters);
  if (first === undefined) return;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  throw new ToolError(
    'GIT_ERROR',
    `${JSON.stringify(first)}${others} would go through a git filter, and filters are not run here. Do this with git itself.`,
    { reason: 'filter' },
  );
}

async function filteredPaths(
  { workspace, signal, paths }: Asked,
  filters: ReadonlySet<string>,
): Promise<string[]> {
  const { stdout, repository } = await mustGit({
    workspace,
    signal,
    args: ['check-attr', '-z', '--stdin', 'filter'],
    input: pathSpecs(workspace, paths).join('\0'),
  });
  const fields = stdout.toString().split('\0');
  const found: string[] = [];
  for (let i = 0; i + 2 < fields.length; i += 3)
    if (filters.has(fields[i + 2] ?? '')) found.push((fields[i] ?? '').slice(repository.prefix.length));
  return found;
}
