// Dark, light, or as the system: stored in this browser, set on the page.
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { remembered } from './remembered.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storedTheme = remembered<Theme>('theme', 'system', (value) => themes.includes(value as Theme));

export const useTheme = create<{ theme: Theme }>(() => ({ theme: storedTheme.read() }));

export function startTheme(): void {
  show(useTheme.getState().theme);
}

export function chooseTheme(theme: Theme): void {
  storedTheme.write(theme);
  useTheme.setState({ theme });
  show(theme);
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The theme that is seen: of the person, else of the system. */
export function useShownTheme(): 'light' | 'dark' {
  const theme = useTheme((state) => state.theme);
  const isSystemDark = useSyncExternalStore(subscribeToSystem, () => systemIsDark().matches);
  if (theme !== 'system') return theme;
  return isSystemDark ? 'dark' : 'light';
}

function systemIsDark(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)');
}

function subscribeToSystem(onChange: () => void): () => void {
  const query = systemIsDark();
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
