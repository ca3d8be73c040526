// Effects of the page: its title, a place for the keyboard's focus, and pending approvals first on a phone.
import { visibleLine } from '@codelab/protocol';
import { useEffect } from 'react';
import { useSession } from '../session/session-store.ts';
import { whenFirstLooked } from '../views/approval/other-sessions-waiting.ts';
import { useTour } from '../views/tour/tour-store.ts';
import { useLayout, usePhone } from './layout-store.ts';
import { showView } from './show-view.ts';

// The tab of the browser says which session it is, and that somebody is waited for.
export function usePageTitle(): void {
  const title = useSession((model) => model.title);
  const waiting = useSession(({ pending }) => pending.length);
  useEffect(() => {
    const mark = waiting > 0 ? `(${waiting}) ` : '';
    document.title = `${mark}${title === '' ? 'CodeLab' : `${visibleLine(title)} · CodeLab`}`;
  }, [title, waiting]);
}

// When the focused element is gone or hidden, the centre of the page gets the focus, so that the keyboard always has a place.
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    const onFocus = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : null;
    };
    const look = (): void => {
      const { activeElement, body } = document;
      if (activeElement !== body || last === null) return;
      // A click beside an element takes its focus on purpose: the element is still there.
      if (last.isConnected && last.checkVisibility()) return;
      last = null;
      document.getElementById('main')?.focus({ preventScroll: true });
    };
    // Two frames: the first may still show what is about to go.
    const later = (): void => void requestAnimationFrame(() => requestAnimationFrame(look));
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', later);
    const stops = [useLayout.subscribe(later), usePhone.subscribe(later)];
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', later);
      for (const stop of stops) stop();
    };
  }, []);
}

// On a narrow screen what waits for the person comes first: whoever opens the page and touches nothing yet is shown it.
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
