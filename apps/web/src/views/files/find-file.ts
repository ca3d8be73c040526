// Asks for the field that finds a file, also where the files are not on the screen yet.
import { create } from 'zustand';
import { showView } from '../../layout/show-view.ts';

export const useFindWish = create<{ isWanted: boolean }>(() => ({ isWanted: false }));

export function findFile(): void {
  useFindWish.setState({ isWanted: true });
  showView('files');
}
