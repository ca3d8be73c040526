// The plan of a git tool that reads one path of the workspace.
import { phrase } from '@codelab/protocol';
import type { PlanContext, Planned } from '../../tool/define-tool.ts';

export function planGitReading(
  requested: string,
  { workspace, limits }: PlanContext,
  subject: 'history' | 'status',
): Planned<string> {
  using place = workspace.locate(requested, {
    followLast: false,
    access: 'read',
    pathChars: limits.pathChars,
  });
  const { path } = place;
  return {
    plan: {
      summary: phrase(subject === 'history' ? 'plan.gitHistory' : 'plan.gitStatus', { path }),
      risk: 'low',
      riskReason: phrase(subject === 'history' ? 'risk.onlyCommits' : 'risk.onlyNames'),
      touches: [{ asked: requested, path, access: 'read' }],
      notes: [],
      basis: [],
    },
    intents: [],
    prepared: path,
  };
}
