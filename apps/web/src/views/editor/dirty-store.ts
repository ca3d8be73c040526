// Which open files hold edits that are not on the disk. Apart from the editor, so that asking does not load it.
import { create } from 'zustand';

export const useDirty = create<{ paths: ReadonlySet<string> }>(() => ({ paths: new Set() }));

export function setDirty(path: string, isDirty: boolean): void {
  const { paths } = useDirty.getState();
  if (paths.has(path) === isDirty) return;
  const next = new Set(paths);
  if (isDirty) next.add(path);
  else next.delete(path);
  useDirty.setState({ paths: next });
}

export function useIsDirty(path: string): boolean {
  return useDirty(({ paths }) => paths.has(path));
}
