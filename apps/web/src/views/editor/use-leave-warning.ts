// The browser asks before the page is left while something is not saved. Once for the page: edits outlive the tab that shows them.
import { useEffect } from 'react';
import { useDirty } from './dirty-store.ts';

let isListening = false;

export function useLeaveWarning(): void {
  useEffect(() => {
    if (isListening) return;
    isListening = true;
    window.addEventListener('beforeunload', (event) => {
      if (useDirty.getState().paths.size > 0) event.preventDefault();
    });
  }, []);
}
