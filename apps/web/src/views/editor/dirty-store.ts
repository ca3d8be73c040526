// Which files have unsaved changes, and the browser's warning before the page is left with them.

import { useEffect } from 'react';
import { create } from 'zustand';

// Which open files hold edits that are not on the disk. Apart from the editor, so that asking does not load it.
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

// The browser asks before the page is left while something is not saved. Once for the page: edits outlive the tab that shows them.
let isListening = false;

export function useLeaveWarning(): void {
  useEffect(() => {
    if (isListening) return;
    isListening = true;
    window.addEventListener('beforeunload', (event) => {
      if (useDirty.getState().paths.size > 0) event.preventDefault();
    });
  }, []);
}
