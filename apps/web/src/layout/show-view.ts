// Shows a view, wherever its place is. Views call this, so it must not import their list: the page registers the places.
import type { View } from '../view.ts';
import { changeLayout, openTab, showLeft, showSide, usePhone } from './layout-store.ts';

const places = new Map<string, View['place']>();

/** To be called once, with all views. */
export function learnPlaces(views: readonly View[]): void {
  for (const { id, place } of views) places.set(id, place);
}

export function showView(id: string, param = '', title = ''): void {
  const place = places.get(id);
  if (place === undefined) return;
  if (place === 'left') showLeft(id);
  if (place === 'side') showSide(id);
  if (place === 'bottom') changeLayout({ isPanelOpen: true });
  if (place === 'main') {
    openTab(id, param, title);
    // A drawer would lie over what was just asked for.
    changeLayout({ isDrawerOpen: false });
  }
  usePhone.setState({ pane: place === 'main' ? 'main' : id });
}
