// On a narrow screen what waits for the person comes first: whoever opens the page and touches nothing yet is shown it.
import { useEffect } from 'react';
import { whenFirstLooked } from '../views/approval/waiting-elsewhere.ts';
import { useTour } from '../views/tour/tour-store.ts';
import { showView } from './show-view.ts';

let isDecided = false;

export function useWaitingFirst(): void {
  useEffect(() => {
    if (isDecided) return;
    const leave = new AbortController();
    const decide = (): void => {
      isDecided = true;
      leave.abort();
    };
    for (const event of ['pointerdown', 'keydown'] as const)
      window.addEventListener(event, decide, { signal: leave.signal });
    void whenFirstLooked.then((count) => {
      if (leave.signal.aborted) return;
      decide();
      // The tour leads to it by itself.
      if (count > 0 && useTour.getState().step === undefined) showView('waiting');
    });
    return () => leave.abort();
  }, []);
}
