// A line of git must not find tracked files emptied: it would tell of changes that nobody made, and commit them. What is in the
// repository already is no secret to it and stays readable; everything else that is hidden can't be opened.
import { lstatSync } from 'node:fs';
import { readTrackedFiles } from '../snapshot/git-state.ts';
import { treeEntry } from '../snapshot/tree-entry.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ProtectedPlaces } from './protected-places.ts';
import { isFile } from './stand-ins.ts';

type Spared = { places: ProtectedPlaces; closed: readonly string[] };

export function spareTracked(places: ProtectedPlaces, workspace: Workspace, isReadOnly: boolean): Spared {
  if (places.hidden.length === 0) return { places, closed: [] };
  const root = workspace.root.real;
  const { objectOf, holdsTracked } = readTrackedFiles(workspace);
  const isKnown = (path: string): boolean => {
    const own = path.slice(root.length + 1);
    if (!isFile(path)) return holdsTracked(own);
    return objectOf(own, treeEntry(lstatSync(path))) !== undefined;
  };
  const known = places.hidden.filter(isKnown);
  const secret = places.hidden.filter((path) => !known.includes(path));
  const closed = isReadOnly ? [] : secret.filter(isFile);
  return {
    places: {
      ...places,
      kept: [...places.kept, ...known],
      hidden: secret.filter((path) => !closed.includes(path)),
    },
    closed,
  };
}
