// Which cards are unfolded. Kept here, for a row that scrolls out of sight is gone.
import { create } from 'zustand';

const useOpened = create<{ opened: ReadonlyMap<string, boolean> }>(() => ({ opened: new Map() }));

/** `isOpenAtFirst` holds until the reader has said otherwise. */
export function useOpen(id: string, isOpenAtFirst: boolean): [isOpen: boolean, toggle: () => void] {
  const isOpen = useOpened(({ opened }) => opened.get(id)) ?? isOpenAtFirst;
  const toggle = (): void =>
    useOpened.setState(({ opened }) => ({ opened: new Map(opened).set(id, !isOpen) }));
  return [isOpen, toggle];
}
