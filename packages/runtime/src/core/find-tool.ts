// The tool a caller names, as far as its roles show it: one of ours, or one that others offer.

import type { Profile } from '../profiles/profile.ts';
import { shows } from '../profiles/shows.ts';
import type { Tool } from './define-tool.ts';
import type { Host } from './host.ts';

export async function findTool(
  { tools, foreign }: Host,
  roles: readonly Profile[],
  name: string,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  const own = tools.get(name);
  if (own !== undefined) return shows(roles, own) ? own : undefined;
  // Nobody else is asked about what the roles hide: asking may start a program.
  if (foreign === undefined || !shows(roles, { name, kind: foreign.kind })) return undefined;
  return await foreign.find(name, signal);
}
