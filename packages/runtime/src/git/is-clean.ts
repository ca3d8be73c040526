// Do the files git tracks here stand as they were committed? What git does not know does not count, as for git's own commands.
import type { Workspace } from '../workspace/workspace.ts';
import { readStatus } from './read-status.ts';

export async function isClean(workspace: Workspace, signal: AbortSignal): Promise<boolean> {
  const { entries } = await readStatus({ workspace, signal, untracked: 'no' });
  return entries.length === 0;
}
