// What a view is, and how one is loaded. Separate from the list of views, so that a view need not import all others.
import type { LucideIcon } from 'lucide-react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { loadLater } from './load-later.ts';
import type { UiTexts } from './text/en.ts';
import { loadViewTexts } from './text/language.ts';

/** `param` is what a tab was opened with, such as a file's path. */
export type ViewProps = { param: string };

export type View = {
  id: string;
  label(text: UiTexts): string;
  icon: LucideIcon;
  /** `left`: beside the rail; `main`: a tab of the centre; `side`: a tab of the right panel; `bottom`: below the centre. */
  place: 'left' | 'main' | 'side' | 'bottom';
  /** In the rail it opens as a tab of the centre; without it, only something else opens it. */
  isInRail?: true;
  /** While it is in front, the columns beside the centre are closed. */
  isWholeWindow?: true;
  component: ComponentType<ViewProps> | LazyExoticComponent<ComponentType<ViewProps>>;
  /** Stands at the end of its heading, where it has one. */
  head?: LazyExoticComponent<ComponentType>;
  /** A hook: a number beside its name, nothing when 0. */
  useCount?(): number;
  /** A hook: whether what a tab shows is not saved. */
  useIsDirty?(param: string): boolean;
};

/** As `loadLater`, with the words of the views beside the code: for what is not on the first screen. */
// biome-ignore lint/suspicious/noExplicitAny: as `loadLater` has it.
export function loadView<T extends ComponentType<any>>(
  load: () => Promise<{ default: T }>,
): LazyExoticComponent<T> {
  return loadLater(async () => {
    const [loaded] = await Promise.all([load(), loadViewTexts()]);
    return loaded;
  });
}
