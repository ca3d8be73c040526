// A dot on the page's icon while something waits, for those who have it as one tab among many.
import { useEffect } from 'react';

const dotted =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/><path d="M12.5 9.5 6.5 16l6 6.5M19.5 9.5l6 6.5-6 6.5" fill="none" stroke="#fff" stroke-width="2.6"/><circle cx="24" cy="8" r="7.5" fill="#ff6b35" stroke="#fff" stroke-width="2"/></svg>';

export function useIconBadge(isOn: boolean): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
    if (icon === null || !isOn) return;
    const before = icon.href;
    icon.href = `data:image/svg+xml,${encodeURIComponent(dotted)}`;
    return () => {
      icon.href = before;
    };
  }, [isOn]);
}
