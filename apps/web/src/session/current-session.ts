// Which session is on the screen: the address says it, so that a reload and a bookmark lead back. Empty is one that begins with its first message.
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
  const { id } = await api.sessions.create(mode === undefined ? {} : { mode });
  openSession(id);
  return id;
}

let pickedMode: () => PolicyMode | undefined = () => undefined;

/** `read` returns the mode that was picked for the next new session; the composer knows it. */
export function registerPickedMode(read: typeof pickedMode): void {
  pickedMode = read;
}

/** Undefined on a gateway that does not tell: the session then has the gateway's own mode. */
export async function modeOfNewSession(): Promise<PolicyMode | undefined> {
  if (useSettingsStore.getState().settings === undefined) await loadSettings();
  return pickedMode() ?? useSettingsStore.getState().settings?.new_session_mode;
}
