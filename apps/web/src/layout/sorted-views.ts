// The views by their places, in order of registration, and the one in the left column.

import { useSyncExternalStore } from 'react';
import type { View } from '../view.ts';
import { views } from '../views.ts';
import { hasRoom, onRoomChange, useLayout } from './layout-store.ts';

// The views by their places, in the order they are registered.
export const leftViews = views.filter(({ place }) => place === 'left');
export const sideViews = views.filter(({ place }) => place === 'side');
export const railTabs = views.filter(({ place, isInRail }) => place === 'main' && isInRail);
export const bottomViews = views.filter(({ place }) => place === 'bottom');

// The view beside the rail: the one that was chosen, else the first.
/** Undefined while the column is closed. */
export function useLeftView(): View | undefined {
  const { leftView, isLeftOpen, isNarrowLeftOpen } = useLayout();
  const isWide = useSyncExternalStore(onRoomChange, hasRoom);
  if (!(isWide ? isLeftOpen : isNarrowLeftOpen)) return undefined;
  return leftViews.find(({ id }) => id === leftView) ?? leftViews[0];
}
