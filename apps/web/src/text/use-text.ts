// The words of the present language, for a component.
import type { Texts } from './en.ts';
import { useLanguage } from './language.ts';

export function useText(): Texts {
  return useLanguage(({ texts }) => texts);
}

/** Outside components: the words as they are now. */
export function currentText(): Texts {
  return useLanguage.getState().texts;
}
