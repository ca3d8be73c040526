// How many files are others now than when the session began. Folders that came with them are not counted.
import { useMemo } from 'react';
import { useChangedPaths } from '../../session/changes/changed-paths.ts';
import { useSession } from '../../session/session-store.ts';

export function useChangeCount(): number {
  const marks = useChangedPaths();
  const touched = useSession((model) => model.touched);
  return useMemo(() => {
    const folders = new Set(
      touched.flatMap(({ effects }) =>
        effects
          .filter(({ before, after }) => (after ?? before)?.type === 'directory')
          .map(({ path }) => path),
      ),
    );
    return [...marks.keys()].filter((path) => !folders.has(path)).length;
  }, [marks, touched]);
}
