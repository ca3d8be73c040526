// The counts beside the names of views. They are loaded with the page, the views themselves when they are first shown.
import { useMemo } from 'react';
import { useChangedPaths } from './session/changes/changed-paths.ts';
import { useSession } from './session/session-store.ts';

/** How many items of the todo list are left. */
export function useTodoCount(): number {
  return useSession(
    ({ todos }) => todos.filter(({ status }) => status === 'pending' || status === 'in_progress').length,
  );
}

/** How many files the model sees at every turn. */
export function useContextCount(): number {
  return useSession(({ contextFiles }) => contextFiles.length);
}

/** How many files are others now than when the session began. Folders that came with them are not counted. */
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
