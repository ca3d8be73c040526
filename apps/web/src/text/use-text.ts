// The words of the present language, for a component: those of the first screen, or those of the views as well.
import { use } from 'react';
import type { UiTexts } from './en.ts';
import type { ViewTexts } from './en-views.ts';
import { loadViewTexts, useLanguage } from './language.ts';

export function useText(): UiTexts {
  return useLanguage(({ texts }) => texts);
}

/** In a view that is loaded when it is first shown. It waits for the words, which are there already when `loadView` loaded it. */
export function useViewText(): ViewTexts {
  return useLanguage(({ views }) => views) ?? use(loadViewTexts());
}

/** Outside components: the words as they are now. */
export function currentText(): UiTexts {
  return useLanguage.getState().texts;
}

/** The same in the code of a view. */
export function currentViewText(): ViewTexts {
  const { views } = useLanguage.getState();
  if (views === undefined) throw new Error('The words of the views are not loaded yet.');
  return views;
}

/** How a call that undid, redid or discarded changes is named wherever it is listed. */
export function takenBackWords({
  undid,
  redid,
  discarded,
}: UiTexts['conversation']): Partial<Record<string, (paths: string) => string>> {
  return { undo: undid, redo: redid, discard_changes: discarded };
}
