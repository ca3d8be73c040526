// The progress of the tour, stored in this browser. Small, because it is loaded with the page; the tour itself is loaded when it begins.
import type { GatewaySettings } from '@codelab/api';
import { create } from 'zustand';
import { showView } from '../../layout/show-view.ts';
import { remembered } from '../../remembered.ts';
import { openSession } from '../../session/current-session.ts';
import { isTourStep, type TourStep } from './tour-steps.ts';

const storedProgress = remembered<string>('tour', '');
const before = storedProgress.read();

/** Undefined: it is not going on. */
export const useTour = create<{ step: TourStep | undefined }>(() => ({
  step: isTourStep(before) ? before : undefined,
}));

/** Neither taken nor skipped before. */
export function isTourNew(): boolean {
  return storedProgress.read() === '';
}

/** The tour runs only in the sample workspace, with the demo model that knows it. */
export function fitsTour({ is_demo: isDemo, workspace }: GatewaySettings): boolean {
  return isDemo && /[/\\]hello-shop$/.test(workspace);
}

export function startTour(): void {
  openSession('');
  showView('conversation');
  goToStep('ask');
}

export function goToStep(step: TourStep): void {
  storedProgress.write(step);
  useTour.setState({ step });
}

export function endTour(): void {
  storedProgress.write('done');
  useTour.setState({ step: undefined });
}
