// Loads what starts programs when somebody needs one.
import type { ChildPrograms } from './programs.ts';

export async function openPrograms(place: { home: string; root: string }): Promise<ChildPrograms> {
  return (await import('./programs.ts')).createPrograms(place);
}
