// Notifies views of files when their content may have changed: by the session on the screen, by a switch to another session, or by an undo
// or redo of another session, for which there is no event here.
import { useSessionStore } from '../session-store.ts';

/** Undefined: any file may have changed. */
type Listener = (paths: readonly string[] | undefined) => void;

const listeners = new Set<Listener>();

/** To be called after an undo or redo in a session that is not on the screen. */
export function announceRestoredFiles(): void {
  for (const listener of listeners) listener(undefined);
}

/** Returns how to stop. */
export function followFiles(listener: Listener): () => void {
  let { model } = useSessionStore.getState();
  let seen = model.touched.length;
  listeners.add(listener);
  const stop = useSessionStore.subscribe((state) => {
    if (state.model !== model) {
      [model, seen] = [state.model, 0];
      listener(undefined);
    }
    if (model.touched.length === seen) return;
    const effects = model.touched.slice(seen).flatMap((call) => call.effects);
    seen = model.touched.length;
    listener(effects.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  });
  return () => {
    stop();
    listeners.delete(listener);
  };
}
