// The way to an approval's card, and the moment after cards moved in which no press counts.
import { create } from 'zustand';

// Leads to an approval's card, when the person asked for it. A card that is still to come is waited for a while.
const longestMs = 5_000;

export function focusApproval(id: string): void {
  if (focusCard(cards().find((card) => card.dataset.approval === id))) return;
  const watcher = new MutationObserver(() => {
    if (focusCard(cards().find((card) => card.dataset.approval === id))) watcher.disconnect();
  });
  watcher.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watcher.disconnect(), longestMs);
}

/** The card after the one that has the focus; after the last comes the first again. */
export function focusNextApproval(): void {
  const all = cards();
  const at = all.findIndex((card) => card.contains(document.activeElement));
  focusCard(all[(at + 1) % Math.max(1, all.length)]);
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-approval]')];
}

function focusCard(card: HTMLElement | undefined): boolean {
  card?.focus();
  card?.scrollIntoView({ block: 'nearest' });
  return card !== undefined;
}

/** When cards come or go, what lies under the pointer is another thing than a moment ago. For that moment no press counts. */
const unsteadyMs = 350;
let timer: ReturnType<typeof setTimeout> | undefined;
let shakenAt = Number.NEGATIVE_INFINITY;

export const useSteady = create<{ isSteady: boolean }>(() => ({ isSteady: true }));

/** The cards have moved. */
export function shake(): void {
  shakenAt = performance.now();
  clearTimeout(timer);
  useSteady.setState({ isSteady: false });
  timer = setTimeout(() => useSteady.setState({ isSteady: true }), unsteadyMs);
}

/** Whether somebody who pressed at that moment can have seen what they pressed. A busy page hears of a press later than it was made. */
export function wasSteady(pressedAt: number): boolean {
  return pressedAt > shakenAt + unsteadyMs;
}
