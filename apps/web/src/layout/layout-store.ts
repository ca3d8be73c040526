// What is open and how wide, remembered by this browser.
import { create } from 'zustand';
import { remembered } from '../remembered.ts';

/** `key` is the view, and what it shows: the same thing is open once. */
export type MainTab = { key: string; view: string; param: string; title: string };

export type Layout = {
  leftWidth: number;
  rightWidth: number;
  isLeftOpen: boolean;
  isRightOpen: boolean;
  /** The same where it lies over the centre; it starts closed. */
  isDrawerOpen: boolean;
  leftView: string;
  sideView: string;
  tabs: readonly MainTab[];
  activeTab: string;
};

const initial: Layout = {
  leftWidth: 260,
  rightWidth: 360,
  isLeftOpen: true,
  isRightOpen: true,
  isDrawerOpen: false,
  leftView: '',
  sideView: '',
  tabs: [],
  activeTab: 'conversation',
};

const kept = remembered<Partial<Layout>>('layout', {}, (value) => typeof value === 'object');

export const useLayout = create<Layout>(() => ({ ...initial, ...fitting(kept.read()) }));

useLayout.subscribe((layout) => kept.write({ ...layout, isDrawerOpen: false }));

export function changeLayout(change: Partial<Layout>): void {
  useLayout.setState(change);
}

/** Opens a view of the centre, or shows it when it is open. */
export function openTab(view: string, param = '', title = ''): void {
  const key = param === '' ? view : `${view}:${param}`;
  useLayout.setState(({ tabs }) => ({
    activeTab: key,
    tabs:
      key === 'conversation' || tabs.some((tab) => tab.key === key)
        ? tabs
        : [...tabs, { key, view, param, title }],
  }));
}

export function closeTab(key: string): void {
  useLayout.setState(({ tabs, activeTab }) => {
    const at = tabs.findIndex((tab) => tab.key === key);
    const rest = tabs.filter((tab) => tab.key !== key);
    const neighbour = rest[Math.max(0, at - 1)]?.key ?? 'conversation';
    return { tabs: rest, activeTab: activeTab === key ? neighbour : activeTab };
  });
}

export function showLeft(view: string): void {
  useLayout.setState({ leftView: view, isLeftOpen: true });
}

export function showSide(view: string): void {
  useLayout.setState({ sideView: view, isRightOpen: true, isDrawerOpen: true });
}

// Kept by another version, or by hand: what has not the type of its default is left out.
function fitting(stored: Partial<Layout>): Partial<Layout> {
  const fits = Object.entries(stored).filter(
    ([name, value]) => name in initial && typeof value === typeof initial[name as keyof Layout],
  );
  const layout = Object.fromEntries(fits) as Partial<Layout>;
  if (!Array.isArray(layout.tabs ?? []) || !(layout.tabs ?? []).every(isTab)) delete layout.tabs;
  return layout;
}

function isTab(tab: unknown): tab is MainTab {
  if (typeof tab !== 'object' || tab === null) return false;
  const { key, view, param, title } = tab as Record<string, unknown>;
  return [key, view, param, title].every((part) => typeof part === 'string');
}
