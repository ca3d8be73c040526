// The views by their places, in the order they are registered.
import { views } from '../views.ts';

export const leftViews = views.filter(({ place }) => place === 'left');
export const sideViews = views.filter(({ place }) => place === 'side');
export const railTabs = views.filter(({ place, isInRail }) => place === 'main' && isInRail);
