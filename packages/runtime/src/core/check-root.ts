// Which folders are not opened as a workspace: everything the user has would be ordinary content of a session.
import { statSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { userHomes } from '../sandbox/user-homes.ts';
import { isSameEntry, leadsToState, type StateFolder } from '../workspace/state-folder.ts';

/** `root` is a real path. */
export function checkRoot(root: string, state: StateFolder): void {
  const own = statSync(root, { bigint: true });
  const isOne = (path: string): boolean => {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat !== undefined && isSameEntry(stat, own);
  };
  if (isOne('/')) throw refused(root, 'the root of the file system');
  if (userHomes().some(isOne)) throw refused(root, 'your home folder');
  if (leadsToState(state, root)) throw refused(root, 'CodeLab’s own state folder');
}

function refused(root: string, what: string): ToolError {
  return new ToolError(
    'INVALID_PATH',
    `${root} is ${what}, which is not opened as a workspace. Choose a project folder with --workspace DIR.`,
    { reason: 'workspace' },
  );
}
