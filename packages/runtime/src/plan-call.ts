// The plan of a call with what people should know of it: names and texts that are not what they look like, and files that are more
// than one place.
import type { Touch } from '@codelab/protocol';
import type { PlanContext, Planned, Tool } from './define-tool.ts';
import { misleadingNotes } from './policy/misleading-notes.ts';
import { oddName } from './policy/odd-name.ts';
import { whyShared } from './workspace/shared-file.ts';

const mostNamed = 20;
const mostLooked = 200;

export async function planCall(tool: Tool, input: unknown, context: PlanContext): Promise<Planned<unknown>> {
  const planned = await tool.plan(input, context);
  const { plan } = planned;
  const odd = [...new Set(plan.touches.flatMap(spellings))].flatMap((path) => oddName(path) ?? []);
  const changed = plan.touches.filter(({ access }) => access === 'write' || access === 'create');
  const shared = planned.isElsewhere
    ? []
    : changed.slice(0, mostLooked).flatMap(({ path }) => whyShared(path, context) ?? []);
  const misleads = misleadingNotes(plan);
  if (odd.length === 0 && shared.length === 0 && misleads.length === 0) return planned;
  const [reason] = shared;
  return {
    ...planned,
    ...(reason !== undefined && { mustAsk: { rule: 'shared-file', reason } }),
    plan: {
      ...plan,
      notes: [...odd.slice(0, mostNamed), ...misleads, ...shared.slice(0, mostNamed), ...plan.notes],
    },
  };
}

function spellings({ asked, path }: Touch): string[] {
  return asked === path ? [path] : [asked, path];
}
