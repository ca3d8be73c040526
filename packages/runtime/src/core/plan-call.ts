// The plan step: what a tool is given to plan with, and its plan with what people should know of it: names and texts that are not what
// they look like, and files that have several names.
import type { Touch } from '@codelab/protocol';
import { misleadingNotes } from '../policy/misleading-notes.ts';
import { oddName } from '../policy/odd-name.ts';
import type { PlanContext, Planned, Tool } from '../tool/define-tool.ts';
import { lookShared, type Shared } from '../workspace/shared-file.ts';
import type { CallView } from './call-run.ts';

const mostNamed = 20;
const mostLooked = 200;

export async function planCall(view: CallView, tool: Tool, input: unknown): Promise<Planned<unknown>> {
  view.signal.throwIfAborted();
  const context = planContext(view);
  const planned = await tool.plan(input, context);
  const { plan } = planned;
  const odd = [...new Set(plan.touches.flatMap(spellings))].flatMap((path) => oddName(path) ?? []);
  const changed = plan.touches.filter(({ access }) => access === 'write' || access === 'create');
  const looked = planned.isElsewhere
    ? []
    : changed.slice(0, mostLooked).map((touch) => otherNames(touch, context));
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

function otherNames({ path }: Touch, context: PlanContext): Shared & { note?: string } {
  const shared = lookShared(path, context.workspace);
  const [first, ...others] = shared.names;
  if (first === undefined) return shared;
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return { ...shared, note: `${path} is the same file as ${first}${rest} (hard link).` };
}

function spellings({ asked, path }: Touch): string[] {
  return asked === path ? [path] : [asked, path];
}

export function planContext({ host, session, limits, signal, roles }: Omit<CallView, 'call'>): PlanContext {
  const { workspace, home, cache, log, lock, sandbox, shows, processes } = host;
  let tests: ((path: string) => boolean)[] | undefined;
  return {
    ...{ workspace, home, cache, log, lock, sandbox, shows, processes, limits, signal, roles },
    session: session.id,
    mayRead(path) {
      tests ??= roles.map(({ name }) => host.rules.mayRead(name, session.rules));
      return tests.every((test) => test(path));
    },
    isDenied: (tool, path) =>
      roles.some(({ name }) => host.rules.denies({ tool, profile: name }, path, session.rules)),
    seen: (path) => session.seen(path),
    latest: (tool) => session.latest(tool),
  };
}
