// Refuses a path that is neither on the disk nor known to git; what was deleted is known, since git remembers it.
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../workspace/workspace.ts';
import { gitFailure } from './git-failure.ts';
import { pathSpecs } from './path-specs.ts';
import { readDiff } from './read-diff.ts';
import { runGit } from './run-git.ts';

type Asked = {
  workspace: Workspace;
  signal: AbortSignal;
  /** Paths that are not on the disk. */
  absent: readonly { asked: string; path: string }[];
};

export async function refuseMissing({ workspace, signal, absent }: Asked): Promise<void> {
  for (const { asked, path } of absent) {
    const shared = { workspace, signal, maxBytes: 1024 };
    const places = pathSpecs(workspace, [path]);
    const listed = await runGit({ ...shared, args: ['ls-files', '-z', '--', ...places] });
    if (listed.exitCode !== 0 && !listed.isCut) throw gitFailure(listed);
    if (listed.stdout.length > 0) continue;
    // Deleted, and the deletion is staged.
    const { paths } = await readDiff({ ...shared, sides: 'staged', paths: [path] });
    if (paths.length === 0) throw new ToolError('FILE_NOT_FOUND', `File not found: ${asked}`);
  }
}
