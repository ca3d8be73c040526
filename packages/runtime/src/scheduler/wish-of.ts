// What a planned call asks of the scheduler.
import type { Planned, Tool } from '../tool/define-tool.ts';
import type { Lane, Wish } from './job.ts';

/** The session that a call belongs to, and whom that belongs to. */
type Caller = { id: string; owner: string | undefined };

export function wishOf({ id: session, owner }: Caller, tool: Tool, planned: Planned<unknown>): Wish {
  const changes = isEffectful(planned);
  return { lane: laneOf(tool, changes), session, owner, touches: planned.plan.touches, changes };
}

export function isEffectful({ intents, isUnforeseeable }: Planned<unknown>): boolean {
  return intents.length > 0 || isUnforeseeable === true;
}

function laneOf({ kind }: Tool, changes: boolean): Lane {
  if (kind === 'execute') return 'command';
  return changes ? 'change' : 'read';
}
