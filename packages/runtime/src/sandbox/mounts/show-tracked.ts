// A line of git must not find tracked files emptied: it would tell of changes that nobody made, and commit them. What is in the
// repository already is no secret to it and stays readable; everything else that is hidden can't be opened.

import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { readTrackedFiles, type TrackedFiles, trackedFilesIn } from '../../snapshot/git-state.ts';
import { treeEntry } from '../../snapshot/tree-entry.ts';
import { isWithin } from '../../workspace/state-folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { isFile } from '../backends/stand-ins.ts';
import type { ProtectedPlaces } from './protected-places.ts';

type TrackedPlaces = { places: ProtectedPlaces; closed: readonly string[] };
type Checkout = { top: string; files: TrackedFiles };

export function showTracked(
  places: ProtectedPlaces,
  workspace: Workspace,
  isReadOnly: boolean,
): TrackedPlaces {
  if (places.hidden.length === 0) return { places, closed: [] };
  const own = { top: workspace.root.real, files: readTrackedFiles(workspace) };
  const nested = nestedIn(places, own.top);
  const known = places.hidden.filter((path) => [own, ...nested].some((one) => isKnown(path, one)));
  const secret = places.hidden.filter((path) => !known.includes(path));
  // An empty file is a change that git shows, with all that the repository has of it.
  const isShown = (path: string): boolean => nested.some((one) => mayBeTracked(path, one));
  const closed = secret.filter((path) => isFile(path) && (!isReadOnly || isShown(path)));
  return {
    places: {
      ...places,
      kept: [...places.kept, ...known],
      hidden: secret.filter((path) => !closed.includes(path)),
    },
    closed,
  };
}

/** Further worktrees and nested repositories that something hidden lies in: git can be told to work there. */
function nestedIn({ gits, hidden }: ProtectedPlaces, root: string): Checkout[] {
  const tops = new Set(gits.map((git) => dirname(git)));
  return [...tops]
    .filter((top) => top !== root && hidden.some((path) => isWithin(path, top)))
    .map((top) => ({ top, files: trackedFilesIn(top) }));
}

function isKnown(path: string, { top, files }: Checkout): boolean {
  if (!isWithin(path, top)) return false;
  const own = path.slice(top.length + 1);
  if (!isFile(path)) return files.holdsTracked(own);
  return files.objectOf(own, treeEntry(lstatSync(path))) !== undefined;
}

function mayBeTracked(path: string, { top, files }: Checkout): boolean {
  return isWithin(path, top) && (!files.isRead || files.isTracked(path.slice(top.length + 1)));
}
