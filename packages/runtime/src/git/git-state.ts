// Where a workspace's repository stands, for who can do without: nothing where there is none, or where git takes too long.
import type { Workspace } from '../workspace/workspace.ts';
import { readStatus } from './read-status.ts';

type State = Pick<Awaited<ReturnType<typeof readStatus>>, 'branch' | 'entries'>;

export async function gitState(workspace: Workspace, signal: AbortSignal): Promise<State | undefined> {
  try {
    return await readStatus({ workspace, signal });
  } catch {
    return undefined;
  }
}
