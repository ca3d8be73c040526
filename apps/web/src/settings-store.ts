// The gateway's settings in the page, or why they are not there. Read on first use, cached, and replaced by the response to a change.
import type { GatewaySettings, SettingsChange } from '@codelab/api';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from './api/api.ts';

type State = { settings: GatewaySettings | undefined; problem: unknown };

export const useSettingsStore = create<State>(() => ({ settings: undefined, problem: undefined }));

let asking: Promise<void> | undefined;

/** Undefined until they are there, and on a gateway that has none. */
export function useSettings(): GatewaySettings | undefined {
  const settings = useSettingsStore((state) => state.settings);
  useEffect(() => {
    if (useSettingsStore.getState().settings === undefined) void loadSettings();
  }, []);
  return settings;
}

export function loadSettings(): Promise<void> {
  asking ??= api.settings
    .get()
    .then((settings) => useSettingsStore.setState({ settings, problem: undefined }))
    .catch((error: unknown) => useSettingsStore.setState({ problem: error }))
    .finally(() => {
      asking = undefined;
    });
  return asking;
}

/** Throws what the gateway refuses; nothing has changed then. */
export async function changeSettings(change: SettingsChange): Promise<void> {
  useSettingsStore.setState({ settings: await api.settings.update(change), problem: undefined });
}
