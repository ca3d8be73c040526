// The plan of a call with what people should know of it: names and texts that are not what they look like, and files that are more
// than one place.
import type { Touch } from '@codelab/protocol';
import { misleadingNotes } from '../policy/misleading-notes.ts';
import { oddName } from '../policy/odd-name.ts';
import { lookShared, type Shared } from '../workspace/shared-file.ts';
import type { PlanContext, Planned, Tool } from './define-tool.ts';

const mostNamed = 20;
const mostLooked = 200;

export async function planCall(tool: Tool, input: unknown, context: PlanContext): Promise<Planned<unknown>> {
  const planned = await tool.plan(input, context);
  const { plan } = planned;
  const odd = [...new Set(plan.touches.flatMap(spellings))].flatMap((path) => oddName(path) ?? []);
  const changed = plan.touches.filter(({ access }) => access === 'write' || access === 'create');
  const looked = planned.isElsewhere ? [] : changed.slice(0, mostLooked).map((touch) => look(touch, context));
  const shared = looked.flatMap(({ why }) => why ?? []);
  const twins = looked.flatMap(({ names }) => names);
  const misleads = misleadingNotes(plan);
  if ([odd, shared, twins, misleads].every(({ length }) => length === 0)) return planned;
  const [reason] = shared;
  const more = [odd, shared, looked.flatMap(({ note }) => note ?? [])].flatMap((all) =>
    all.slice(0, mostNamed),
  );
  return {
    ...planned,
    ...(reason !== undefined && { mustAsk: { rule: 'shared-file', reason } }),
    // Rules about the other names speak as well.
    within: [
      ...(planned.within ?? []),
      ...twins.map((path) => ({ asked: path, path, access: 'write' as const })),
    ],
    plan: { ...plan, notes: [...more, ...misleads, ...plan.notes] },
  };
}

function look({ path }: Touch, context: PlanContext): Shared & { note?: string } {
  const shared = lookShared(path, context);
  const [first, ...others] = shared.names;
  if (first === undefined) return shared;
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return { ...shared, note: `${path} is the same file as ${first}${rest} (hard link).` };
}

function spellings({ asked, path }: Touch): string[] {
  return asked === path ? [path] : [asked, path];
}
