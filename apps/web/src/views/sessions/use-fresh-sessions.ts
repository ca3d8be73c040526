// Reads the list again while it is on the screen: when the open session changes, when the page gets the focus, and every few seconds.
import { useEffect } from 'react';
import { useCurrentSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { loadSessions } from './session-list-store.ts';

const everyMs = 8000;

export function useFreshSessions(): void {
  const current = useCurrentSession();
  const state = useSession(({ title, status, pending, turns }) =>
    [title, status, pending.length, turns.length].join('\n'),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: these changes are the occasion.
  useEffect(() => void loadSessions(), [current, state]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void loadSessions();
    };
    const timer = setInterval(look, everyMs);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, []);
}
