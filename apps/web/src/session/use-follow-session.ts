// Follows whichever session the address names; at the start, without one, the latest.
import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { openSession, useCurrentSession } from './current-session.ts';
import { followSession } from './follow-session.ts';
import { emptySession } from './session-model.ts';
import { useSessionStore } from './session-store.ts';

export function useFollowSession(): void {
  const id = useCurrentSession();
  useEffect(() => {
    if (id === '') {
      useSessionStore.setState({ model: emptySession(''), connection: 'none', problem: '' });
      return;
    }
    const ending = new AbortController();
    void followSession(id, ending.signal);
    return () => ending.abort();
  }, [id]);
}

// What comes later would take the screen from under somebody's hands.
const patienceMs = 800;

/** To be called once, before anything is shown. */
export async function openLatest(): Promise<void> {
  if (location.hash !== '') return;
  try {
    const { sessions } = await api.sessions.list({ limit: 1 }, AbortSignal.timeout(patienceMs));
    const [latest] = sessions;
    if (latest !== undefined && location.hash === '') openSession(latest.id);
  } catch {
    // A gateway that can't be asked now is noticed by whatever is done next.
  }
}
