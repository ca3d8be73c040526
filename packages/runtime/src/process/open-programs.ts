// Loads what starts programs when somebody needs one.
import type { Programs } from './programs.ts';

export async function openPrograms(place: { home: string; root: string }): Promise<Programs> {
  return (await import('./programs.ts')).createPrograms(place);
}
