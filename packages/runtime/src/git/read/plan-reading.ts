// The plan of a git tool that reads what concerns one place of the workspace.
import type { PlanContext, Planned } from '../../tool/define-tool.ts';

export function planGitReading(
  asked: string,
  { workspace, limits }: PlanContext,
  say: { what: string; why: string },
): Planned<string> {
  using place = workspace.locate(asked, { followLast: false, access: 'read', pathChars: limits.pathChars });
  const { path } = place;
  return {
    plan: {
      summary: `${say.what} of ${path}`,
      risk: 'low',
      riskReason: say.why,
      touches: [{ asked, path, access: 'read' }],
      notes: [],
      basis: [],
    },
    intents: [],
    prepared: path,
  };
}
