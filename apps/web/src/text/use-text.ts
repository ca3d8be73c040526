// The words of the present language, for a component.
import type { UiTexts } from './en.ts';
import { useLanguage } from './language.ts';

export function useText(): UiTexts {
  return useLanguage(({ texts }) => texts);
}

/** Outside components: the words as they are now. */
export function currentText(): UiTexts {
  return useLanguage.getState().texts;
}

/** How a call that undid, redid or discarded changes is named wherever it is listed. */
export function takenBackWords({
  undid,
  redid,
  discarded,
}: UiTexts['conversation']): Partial<Record<string, (paths: string) => string>> {
  return { undo: undid, redo: redid, discard_changes: discarded };
}
