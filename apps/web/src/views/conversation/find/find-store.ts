// Find in the conversation: whether its bar is open, and what it looks for.
import { create } from 'zustand';
import { showView } from '../../../layout/show-view.ts';

/** `count` tells that it was asked for again. */
export const useFind = create<{ isOpen: boolean; query: string; count: number }>(() => ({
  isOpen: false,
  query: '',
  count: 0,
}));

/** Opens the bar, with what is looked for where that is known. */
export function findInConversation(query?: string): void {
  showView('conversation');
  useFind.setState((find) => ({ isOpen: true, query: query ?? find.query, count: find.count + 1 }));
}

export function closeFind(): void {
  useFind.setState({ isOpen: false });
}
