// Opens a file while a tab shows it and keeps it true: the session's own changes and the return to the page make it look again.
import { useEffect } from 'react';
import { useLayout } from '../../layout/layout-store.ts';
import { useSessionStore } from '../../session/session-store.ts';
import { dropBuffer, isDirty } from './buffers.ts';
import { loadFile, lookAgain } from './keep-file.ts';
import { forgetFile, type OpenFile, useOpenFiles } from './open-files.ts';

export function useKeptFile(path: string): OpenFile {
  useEffect(() => {
    void loadFile(path).then(() => lookAgain(path));
    const look = (): void => void lookAgain(path);
    window.addEventListener('focus', look);
    const stop = followSession(path, look);
    return () => {
      window.removeEventListener('focus', look);
      stop();
      // The tab was closed, not only left; what is not saved is kept for when it is opened again.
      if (!useLayout.getState().tabs.some(({ view, param }) => view === 'file' && param === path))
        forget(path);
    };
  }, [path]);
  return useOpenFiles(({ files }) => files.get(path)) ?? loading;
}

const loading: OpenFile = { status: 'loading' };

function followSession(path: string, look: () => void): () => void {
  let { model } = useSessionStore.getState();
  let seen = model.touched.length;
  return useSessionStore.subscribe((state) => {
    if (state.model !== model) [model, seen] = [state.model, 0];
    if (model.touched.length === seen) return;
    const fresh = model.touched.slice(seen);
    seen = model.touched.length;
    if (fresh.some(({ effects }) => effects.some((one) => one.path === path || one.from === path))) look();
  });
}

function forget(path: string): void {
  if (isDirty(path)) return;
  dropBuffer(path);
  forgetFile(path);
}
