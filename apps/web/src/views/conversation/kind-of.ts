// What a call does to the world. The catalogue says it by tool; where that is not known, the plan shows it.
import type { Kind } from '@codelab/protocol';
import type { CallView } from '../../session/session-model.ts';

export function kindOf({ call, approval, plan }: CallView, kinds: ReadonlyMap<string, Kind>): Kind {
  const known = approval?.kind ?? kinds.get(call.tool);
  if (known !== undefined) return known;
  if (plan === undefined) return 'think';
  if (plan.command !== undefined) return 'execute';
  if (plan.question !== undefined) return 'ask';
  const accesses = new Set(plan.touches.map(({ access }) => access));
  if (accesses.has('delete')) return 'delete';
  if (accesses.has('write') || accesses.has('create') || plan.diff !== undefined) return 'edit';
  return accesses.has('read') ? 'read' : 'think';
}
