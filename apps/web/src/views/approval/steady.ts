// When cards come or go, what lies under the pointer is another thing than a moment ago. For that moment no press counts.
import { create } from 'zustand';

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
