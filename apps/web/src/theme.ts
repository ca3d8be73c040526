// Dark, light, or as the system: kept by this browser, set on the page.
import { create } from 'zustand';
import { remembered } from './remembered.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = remembered<Theme>('theme', 'system', (value) => themes.includes(value as Theme));

export const useTheme = create<{ theme: Theme }>(() => ({ theme: kept.read() }));

export function startTheme(): void {
  show(useTheme.getState().theme);
}

export function chooseTheme(theme: Theme): void {
  kept.write(theme);
  useTheme.setState({ theme });
  show(theme);
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
