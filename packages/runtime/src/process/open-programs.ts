// Loads the module that starts programs on first use.
import type { ChildPrograms } from './programs.ts';

export async function openPrograms(place: { home: string; root: string }): Promise<ChildPrograms> {
  return (await import('./programs.ts')).createPrograms(place);
}
