// The tools of others that an agent's roles show; the same list again while nothing has changed.

import type { Profile } from '../profiles/profile.ts';
import { shows } from '../profiles/shows.ts';
import type { Tool } from './define-tool.ts';
import type { Host } from './host.ts';

const none: readonly Tool[] = [];

export async function listForeign(
  { foreign }: Host,
  roles: readonly Profile[],
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  // Listing may start programs: not for those who could not use them.
  if (foreign === undefined || !roles.every(({ kinds }) => kinds.includes(foreign.kind))) return none;
  const tools = await foreign.list(signal);
  const shown = tools.filter((tool) => shows(roles, tool));
  return shown.length === tools.length ? tools : shown;
}
