// Actions that can be run now. Views register actions while they are shown; the palette lists them, shortcuts start them.
import { useEffect } from 'react';
import { create } from 'zustand';
import type { UiTexts } from '../text/en.ts';

export type Action = {
  /** As in `keys.ts`, when it has a shortcut there. */
  id: string;
  label: string;
  group: Exclude<keyof UiTexts['frame']['groups'], 'recent'>;
  run(): void;
};

type Registered = ReadonlyMap<string, Action>;

export const useActionStore = create<{ actions: Registered }>(() => ({ actions: new Map() }));

/** Offers the actions while the component is there. The list may be another one each time: only what changed is told. */
export function useActions(actions: readonly Action[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels and ids say whether the offer changed; `run` is looked up anew below.
  useEffect(() => {
    change((all) => {
      for (const action of actions) all.set(action.id, action);
    });
    return () =>
      change((all) => {
        for (const { id } of actions) all.delete(id);
      });
  }, [actions.map(({ id, label }) => `${id} ${label}`).join('\n')]);
  useEffect(() => {
    const { actions: all } = useActionStore.getState();
    for (const action of actions) {
      const known = all.get(action.id);
      // In place and untold: only what it does is another.
      if (known !== undefined) known.run = action.run;
    }
  });
}

export function runAction(id: string): boolean {
  const action = useActionStore.getState().actions.get(id);
  action?.run();
  return action !== undefined;
}

function change(edit: (all: Map<string, Action>) => void): void {
  useActionStore.setState(({ actions }) => {
    const all = new Map(actions);
    edit(all);
    return { actions: all };
  });
}
