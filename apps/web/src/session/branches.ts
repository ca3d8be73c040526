// The branches of the session on the screen: sessions that share a beginning with it, and where each one leaves the others.
import type { Session } from '@codelab/api';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../api/api.ts';
import type { LogPlace } from './session-model.ts';
import { useSession } from './session-store.ts';

export const useBranches = create<{ all: readonly Session[] }>(() => ({ all: [] }));

/** Asked when another session is opened, and when a turn has begun: only then can one have come. */
export function useLoadBranches(): void {
  const id = useSession((model) => model.id);
  const turns = useSession((model) => model.turns.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with a turn the answer may be another.
  useEffect(() => {
    if (id === '') return;
    const ending = new AbortController();
    api.sessions
      .branches(id, ending.signal)
      .then((all) => useBranches.setState({ all }))
      // The conversation is whole without them.
      .catch(() => undefined);
    return () => ending.abort();
  }, [id, turns]);
}

/** Sessions that go on after the same entry in different ways, the original first; empty where there is only one way. */
export function siblingsAt(all: readonly Session[], { session, seq }: LogPlace): readonly string[] {
  const forks = all.filter(({ forked_from: from }) => from?.session_id === session && from.seq === seq);
  return forks.length === 0 ? [] : [session, ...forks.map(({ id }) => id)];
}
