// The marks of the tree: git's state of each file, preceded by this session's change. A closed folder shows the most important mark inside
// it.
import type { FileMark } from '@codelab/api';
import { useMemo } from 'react';
import { create } from 'zustand';
import { type PathMark, useChangedPaths } from '../../session/changes/changed-paths.ts';
import { sessionFiles } from '../../session/session-files.ts';

/** `isInside`: of something in the folder. `isOfGit`: it differs from the last commit, not because of this session. */
export type TreeMark = { mark: FileMark['mark']; isInside: boolean; isOfGit: boolean };

const useGitMarks = create<{ marks: readonly FileMark[] }>(() => ({ marks: [] }));
let request: AbortController | undefined;

/** A tree without marks is still a tree: where they can't be read, the last ones stay. */
export async function readGitMarks(): Promise<void> {
  request?.abort();
  request = new AbortController();
  const marks = await sessionFiles.marks(request.signal).catch(() => undefined);
  if (marks !== undefined) useGitMarks.setState({ marks });
}

export function useTreeMarks(): ReadonlyMap<string, TreeMark> {
  const ofGit = useGitMarks(({ marks }) => marks);
  const ofSession = useChangedPaths();
  return useMemo(() => treeMarks(ofGit, ofSession), [ofGit, ofSession]);
}

const weight: Record<FileMark['mark'], number> = { added: 1, deleted: 2, changed: 3, conflict: 4 };

export function treeMarks(
  ofGit: readonly FileMark[],
  ofSession: ReadonlyMap<string, PathMark>,
): Map<string, TreeMark> {
  const marks = new Map<string, TreeMark>();
  for (const { path, mark } of ofGit) marks.set(path, { mark, isInside: false, isOfGit: true });
  for (const [path, mark] of ofSession) {
    const isConflict = marks.get(path)?.mark === 'conflict';
    if (!isConflict) marks.set(path, { mark, isInside: false, isOfGit: false });
  }
  for (const [path, { mark, isInside, isOfGit }] of [...marks]) {
    if (isInside) continue;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const above = marks.get(path.slice(0, at));
      if (above !== undefined && (!above.isInside || weight[above.mark] >= weight[mark])) continue;
      marks.set(path.slice(0, at), { mark, isInside: true, isOfGit });
    }
  }
  return marks;
}
