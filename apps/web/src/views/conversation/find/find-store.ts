// Find in the conversation: whether its bar is open, and what it looks for.
import { create } from 'zustand';
import { showView } from '../../../layout/show-view.ts';

type Find = {
  isOpen: boolean;
  query: string;
  /** How often it was asked for. */
  count: number;
  /** How many matches further down than the latest one is to be shown. */
  offset: number;
};

export const useFind = create<Find>(() => ({ isOpen: false, query: '', count: 0, offset: 0 }));

/** Opens the bar, with what is looked for where that is known. */
export function findInConversation(query?: string): void {
  showView('conversation');
  useFind.setState((find) => ({ isOpen: true, query: query ?? find.query, count: find.count + 1 }));
}

export function closeFind(): void {
  useFind.setState({ isOpen: false, offset: 0 });
}

/** Goes by so many matches, down or up. */
export function goToMatch(by: number): void {
  useFind.setState(({ offset }) => ({ offset: offset + by }));
}
