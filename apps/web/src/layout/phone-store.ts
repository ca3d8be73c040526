// On a narrow screen one thing is shown at a time: the centre, or one view of the sides.
import { create } from 'zustand';

/** `main`, or the id of a view of the left or right. */
export const usePhone = create<{ pane: string }>(() => ({ pane: 'main' }));
