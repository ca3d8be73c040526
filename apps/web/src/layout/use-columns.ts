// The number of columns that fit into the window; the same widths as in the styles.
import { useSyncExternalStore } from 'react';

export type Columns = 1 | 2 | 3;

const two = window.matchMedia('(min-width: 700px)');
const three = window.matchMedia('(min-width: 1200px)');

export function useColumns(): Columns {
  return useSyncExternalStore(subscribe, columnsNow);
}

export function columnsNow(): Columns {
  if (three.matches) return 3;
  return two.matches ? 2 : 1;
}

function subscribe(onChange: () => void): () => void {
  for (const query of [two, three]) query.addEventListener('change', onChange);
  return () => {
    for (const query of [two, three]) query.removeEventListener('change', onChange);
  };
}
