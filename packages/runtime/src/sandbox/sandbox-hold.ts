// How an unasked command is confined, determined before the command is judged: where the workspace can't be protected, a human is asked.
import { repositoryIfAny } from '../git/find-repository.ts';
import { isWithin, userHomes } from '../workspace/state-folder.ts';
import type { Mount } from './mounts/mount.ts';
import { type ProtectedPlaces, protectedPlaces } from './mounts/protected-places.ts';

export type SandboxHold = {
  places: ProtectedPlaces;
  /** Where git finds the repository, when it is not in the workspace. */
  repository: readonly Mount[];
  /** The command only reads, so the whole workspace is mounted read-only. */
  isReadOnly: boolean;
  /** The command itself starts git to change something, which writes to `.git`. */
  writesGit: boolean;
  /** Secrets that git must not see as changed. */
  closed: readonly string[];
  /** More folders that the command may read, from the user's configuration. */
  shows: readonly string[];
  /** How many processes and threads the kernel allows the command. */
  mostTasks: number;
};

/** `tooMany` says why the workspace cannot be protected. */
export async function findHold(
  root: string,
): Promise<Pick<SandboxHold, 'places' | 'repository'> | { tooMany: string }> {
  const places = await protectedPlaces(root);
  return 'tooMany' in places ? places : { places, repository: await repositoryAround(root) };
}

// Without the folders above the workspace git would take their files for deleted; the git folder of a linked worktree is elsewhere.
async function repositoryAround(root: string): Promise<Mount[]> {
  const repositoryFolder = folderAround(root);
  if (repositoryFolder === undefined) return [];
  const { top, commonDirectory } = repositoryFolder;
  if (top === root) return [{ path: commonDirectory, as: 'shown' }];
  const places = await protectedPlaces(top);
  if ('tooMany' in places) return [];
  return [{ path: top, as: 'shown' }, ...places.hidden.map((path): Mount => ({ path, as: 'hidden' }))];
}

function folderAround(root: string): { top: string; commonDirectory: string } | undefined {
  const repository = repositoryIfAny(root);
  if (repository === undefined) return undefined;
  const { top, commonDirectory } = repository;
  const isOutside = !isWithin(commonDirectory, root);
  const isPrivate = userHomes().some((home) => isWithin(home, top) || isWithin(home, commonDirectory));
  return isOutside && !isPrivate ? { top, commonDirectory } : undefined;
}
