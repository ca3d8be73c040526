// The plan of a git tool that reads one path of the workspace.
import type { PlanContext, Planned } from '../../tool/define-tool.ts';

export function planGitReading(
  requested: string,
  { workspace, limits }: PlanContext,
  say: { what: string; why: string },
): Planned<string> {
  using place = workspace.locate(requested, {
    followLast: false,
    access: 'read',
    pathChars: limits.pathChars,
  });
  const { path } = place;
  return {
    plan: {
      summary: `${say.what} of ${path}`,
      risk: 'low',
      riskReason: say.why,
      touches: [{ asked: requested, path, access: 'read' }],
      notes: [],
      basis: [],
    },
    intents: [],
    prepared: path,
  };
}
