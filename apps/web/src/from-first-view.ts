// What stands on the screen at the first visit: one file, requested at the start.
import { type ComponentType, createElement, type ReactNode } from 'react';
import { create } from 'zustand';
import { retried } from './load-later.ts';
import { Loading } from './ui/spinner.tsx';

type FirstView = typeof import('./first-view.ts');

const useFirstView = create<{ loaded?: FirstView; failure?: unknown }>(() => ({}));

/** To be called at the start, so that it loads while the frame is made. */
export function loadFirstView(): void {
  retried(() => import('./first-view.ts')).then(
    (loaded) => useFirstView.setState({ loaded }),
    (failure: unknown) => useFirstView.setState({ failure }),
  );
}

/** A part of the first screen. Not `lazy`: React holds back for 300 ms what follows the fallback of a `Suspense`. */
export function fromFirstView<Props extends object>(
  pick: (loaded: FirstView) => ComponentType<Props>,
  fallback: ReactNode = createElement(Loading),
): ComponentType<Props> {
  return function FirstViewPart(props: Props) {
    const { loaded, failure } = useFirstView();
    if (failure !== undefined) throw failure;
    return loaded === undefined ? fallback : createElement(pick(loaded), props);
  };
}
