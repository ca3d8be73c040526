// Which session is on the screen: the address says it, so that a reload and a bookmark lead back. Empty is one that begins with its first message.
import { useSyncExternalStore } from 'react';

export function currentSession(): string {
  const found = /^#\/([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/.exec(location.hash);
  return found?.[1] ?? '';
}

export function useCurrentSession(): string {
  return useSyncExternalStore(subscribe, currentSession);
}

export function openSession(id: string): void {
  location.hash = id === '' ? '#/' : `#/${id}`;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
