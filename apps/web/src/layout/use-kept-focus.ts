// Whoever works by keyboard is never nowhere: when what had the focus is gone or hidden, the centre of the page has it.
import { useEffect } from 'react';
import { useLayout } from './layout-store.ts';
import { usePhone } from './phone-store.ts';

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    const onFocus = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : null;
    };
    const look = (): void => {
      const { activeElement, body } = document;
      if (activeElement !== body || last === null) return;
      // Who clicks beside something wants no focus; it is still there.
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
