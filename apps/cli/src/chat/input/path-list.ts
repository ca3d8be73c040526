// The paths that can be completed: read when the first one is wanted, read anew after the agent has worked.
import { listPaths } from './list-paths.ts';

export type PathList = {
  readonly known: readonly string[] | undefined;
  want(root: string): void;
  forget(): void;
};

export function createPathList(onRead: () => void): PathList {
  let read: { paths?: string[] } | undefined;
  return {
    get known() {
      return read?.paths;
    },
    want(root) {
      if (read !== undefined) return;
      const reading: { paths?: string[] } = {};
      read = reading;
      void listPaths(root)
        .catch(() => [])
        .then((paths) => {
          reading.paths = paths;
          onRead();
        });
    },
    forget() {
      read = undefined;
    },
  };
}
