// The marks of files that this session changed; computed again only when it changed one.
import { useMemo } from 'react';
import { changedPaths, type PathMark } from './changed-paths.ts';
import { useSession } from './session-store.ts';

export function useChangedPaths(): ReadonlyMap<string, PathMark> {
  const touched = useSession((model) => model.touched);
  const count = useSession((model) => model.touched.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list grows in place; its length says that it is another.
  return useMemo(() => changedPaths(touched), [touched, count]);
}
