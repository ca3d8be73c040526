// The layout of the page: open views and tabs, and their sizes. This browser remembers it; open files are also kept on the gateway.
import { create } from 'zustand';
import { remembered } from '../remembered.ts';
import { sessionValue as keptOnScreens } from '../session/screen-state.ts';

/** `key` is the view, and what it shows: the same thing is open once. */
export type MainTab = { key: string; view: string; param: string; title: string };

export type LayoutState = {
  leftWidth: number;
  rightWidth: number;
  isLeftOpen: boolean;
  /** The same where the window is too narrow for it beside the centre; it starts closed. */
  isNarrowLeftOpen: boolean;
  isRightOpen: boolean;
  /** The same where it lies over the centre; it starts closed. */
  isDrawerOpen: boolean;
  panelHeight: number;
  /** The panel below the centre. */
  isPanelOpen: boolean;
  leftView: string;
  sideView: string;
  tabs: readonly MainTab[];
  activeTab: string;
};

const initial: LayoutState = {
  leftWidth: 260,
  rightWidth: 360,
  isLeftOpen: true,
  isNarrowLeftOpen: false,
  isRightOpen: true,
  isDrawerOpen: false,
  panelHeight: 260,
  isPanelOpen: false,
  leftView: '',
  sideView: '',
  tabs: [],
  activeTab: 'conversation',
};

const storedLayout = remembered<Partial<LayoutState>>('layout', {}, (value) => typeof value === 'object');

export const useLayout = create<LayoutState>(() => ({ ...initial, ...fitting(storedLayout.read()) }));

/** The tab of the centre that a reload brought back; nobody has opened it on this page. */
export const restoredTab = useLayout.getState().activeTab;

/** Whether a reload brought the panel back; true for the first who asks only. */
export const restoredPanel = {
  is: useLayout.getState().isPanelOpen,
  take(): boolean {
    const { is } = restoredPanel;
    restoredPanel.is = false;
    return is;
  },
};

const sharedTabs = keptOnScreens<readonly MainTab[]>(
  'tabs',
  (value) => Array.isArray(value) && value.every(isTab),
);
const isFile = ({ view }: MainTab): boolean => view === 'file';
let isTaking = false;

useLayout.subscribe((layout, before) => {
  storedLayout.write({ ...layout, isDrawerOpen: false, isNarrowLeftOpen: false });
  if (layout.tabs !== before.tabs && !isTaking) sharedTabs.write('', layout.tabs.filter(isFile));
});

/** Files that were opened on another device since; unless something was opened here by then. To be called once. */
export async function takeTabs(): Promise<void> {
  const { tabs } = useLayout.getState();
  const taken = await sharedTabs.newer('');
  const now = useLayout.getState();
  if (taken === undefined || now.tabs !== tabs) return;
  const next = [...tabs.filter((tab) => !isFile(tab)), ...taken];
  const isThere = now.activeTab === 'conversation' || next.some(({ key }) => key === now.activeTab);
  isTaking = true;
  useLayout.setState({ tabs: next, ...(!isThere && { activeTab: 'conversation' }) });
  isTaking = false;
}

export function changeLayout(change: Partial<LayoutState>): void {
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

/** At 200 % zoom the explorer would leave the conversation a strip. */
const room = () => window.matchMedia('(min-width: 900px)');

export function hasRoom(): boolean {
  return room().matches;
}

/** Returns how to stop. */
export function onRoomChange(hear: () => void): () => void {
  const query = room();
  query.addEventListener('change', hear);
  return () => query.removeEventListener('change', hear);
}

export function hideLeft(): void {
  useLayout.setState(hasRoom() ? { isLeftOpen: false } : { isNarrowLeftOpen: false });
}

export function showLeft(view: string): void {
  useLayout.setState({
    leftView: view,
    ...(hasRoom() ? { isLeftOpen: true } : { isNarrowLeftOpen: true }),
  });
}

/** Opens the panel below the centre and moves the keyboard there, or closes it when the keyboard is there. */
export function togglePanel(): void {
  const panel = document.getElementById('panel');
  const isThere = panel?.contains(document.activeElement) === true;
  useLayout.setState({ isPanelOpen: !isThere });
  if (isThere) document.getElementById('main')?.focus();
  else panel?.querySelector('textarea')?.focus();
}

export function showSide(view: string): void {
  useLayout.setState({ sideView: view, isRightOpen: true, isDrawerOpen: true });
}

// Another version may have stored something else: values that have not the type of their default are left out.
function fitting(stored: Partial<LayoutState>): Partial<LayoutState> {
  const fits = Object.entries(stored).filter(
    ([name, value]) => name in initial && typeof value === typeof initial[name as keyof LayoutState],
  );
  const layout = Object.fromEntries(fits) as Partial<LayoutState>;
  if (!Array.isArray(layout.tabs ?? []) || !(layout.tabs ?? []).every(isTab)) delete layout.tabs;
  return layout;
}

function isTab(tab: unknown): tab is MainTab {
  if (typeof tab !== 'object' || tab === null) return false;
  const { key, view, param, title } = tab as Record<string, unknown>;
  return [key, view, param, title].every((part) => typeof part === 'string');
}

// On a narrow screen one thing is shown at a time: the centre, or one view of the sides.
/** `main`, or the id of a view of the left or right. */
export const usePhone = create<{ pane: string }>(() => ({ pane: 'main' }));
