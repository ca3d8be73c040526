// The view beside the rail: the one that was chosen, else the first.
import type { View } from '../view.ts';
import { useLayout } from './layout-store.ts';
import { leftViews } from './sorted-views.ts';

/** Undefined while the column is closed. */
export function useLeftView(): View | undefined {
  const { leftView, isLeftOpen } = useLayout();
  if (!isLeftOpen) return undefined;
  return leftViews.find(({ id }) => id === leftView) ?? leftViews[0];
}
