// The session on the screen: taken from the address, so that a reload and a bookmark lead back. Empty for one that begins with its first
// message.
import type { PolicyMode } from '@codelab/protocol';
import { useSyncExternalStore } from 'react';
import { api } from '../api/api.ts';
import { loadSettings, useSettingsStore } from '../settings-store.ts';

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

// The session on the screen; one is begun when there is none, because whatever a person does is recorded in one.
export async function ensureSession(): Promise<string> {
  const known = currentSession();
  if (known !== '') return known;
  const mode = await modeOfNewSession();
  const worktree = picks.read().isInWorktree && { worktree: {} };
  const { id } = await api.sessions.create({ ...(mode !== undefined && { mode }), ...worktree });
  picks.onMade();
  openSession(id);
  return id;
}

/** For the next new session. `isInWorktree` holds for one session. */
type NewSessionPicks = { mode: PolicyMode | undefined; isInWorktree: boolean };
type Picks = { read(): NewSessionPicks; onMade(): void };

let picks: Picks = { read: () => ({ mode: undefined, isInWorktree: false }), onMade: () => undefined };

/** The composer knows what was picked. */
export function registerPicks(source: Picks): void {
  picks = source;
}

/** Undefined on a gateway that does not tell: the session then has the gateway's own mode. */
export async function modeOfNewSession(): Promise<PolicyMode | undefined> {
  if (useSettingsStore.getState().settings === undefined) await loadSettings();
  return picks.read().mode ?? useSettingsStore.getState().settings?.new_session_mode;
}
