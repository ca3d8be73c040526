// A component whose code is loaded when it is first shown. A failed load is retried: a part of the page must not be missing because one
// file did not arrive.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const tries = 6;
const firstWaitMs = 300;

// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy` has it; the properties are those of the component.
export function loadLater<T extends ComponentType<any>>(
  load: () => Promise<{ default: T }>,
): LazyExoticComponent<T> {
  return lazy(() => retried(load));
}

export async function retried<T>(load: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await load();
    } catch (error) {
      if (tried === tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, firstWaitMs * 2 ** tried));
    }
  }
}
