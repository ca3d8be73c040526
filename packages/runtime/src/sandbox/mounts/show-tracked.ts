// git must not see tracked files emptied: it would report changes that nobody made, and commit them. A secret that is already in the
// repository stays readable; every other hidden file cannot be opened.

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
  const workspaceCheckout = { top: workspace.root.real, files: readTrackedFiles(workspace) };
  const nested = nestedIn(places, workspaceCheckout.top);
  const trackedPaths = places.hidden.filter((path) =>
    [workspaceCheckout, ...nested].some((checkout) => isKnown(path, checkout)),
  );
  const secret = places.hidden.filter((path) => !trackedPaths.includes(path));
  // git would show an emptied tracked file as a change, together with the content in the repository.
  const isShown = (path: string): boolean => nested.some((checkout) => mayBeTracked(path, checkout));
  const closed = secret.filter((path) => isFile(path) && (!isReadOnly || isShown(path)));
  return {
    places: {
      ...places,
      kept: [...places.kept, ...trackedPaths],
      hidden: secret.filter((path) => !closed.includes(path)),
    },
    closed,
  };
}

/** Linked worktrees and nested repositories that contain something hidden: git can be told to work there. */
function nestedIn({ gits, hidden }: ProtectedPlaces, root: string): Checkout[] {
  const tops = new Set(gits.map((git) => dirname(git)));
  return [...tops]
    .filter((top) => top !== root && hidden.some((path) => isWithin(path, top)))
    .map((top) => ({ top, files: trackedFilesIn(top) }));
}

function isKnown(path: string, { top, files }: Checkout): boolean {
  if (!isWithin(path, top)) return false;
  const relative = path.slice(top.length + 1);
  if (!isFile(path)) return files.holdsTracked(relative);
  return files.objectOf(relative, treeEntry(lstatSync(path))) !== undefined;
}

function mayBeTracked(path: string, { top, files }: Checkout): boolean {
  return isWithin(path, top) && (!files.isRead || files.isTracked(path.slice(top.length + 1)));
}
