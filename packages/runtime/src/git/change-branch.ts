// Creates, switches to or deletes a branch as planned.
import type { RunContext } from '../tool/define-tool.ts';
import type { BranchChange } from './plan-branch.ts';
import { readHead } from './read-head.ts';
import { mustGit } from './run-git.ts';
import { takeTurns } from './take-turns.ts';

type Changed = { current: string | null; created?: string; deleted?: string };

const reportMs = 10_000;

export async function changeBranch(
  change: BranchChange,
  { workspace, signal }: RunContext,
): Promise<Changed> {
  await takeTurns(workspace.root.real, () =>
    mustGit({ workspace, signal, args: argsFor(change), isChange: true }),
  );
  // Cancelled or not: it is done, and told.
  const { branch } = await readHead(workspace, AbortSignal.timeout(reportMs));
  switch (change.action) {
    case 'create':
      return { current: branch, created: change.name };
    case 'switch':
      return { current: branch };
    case 'delete':
      return { current: branch, deleted: change.name };
  }
}

function argsFor(change: BranchChange): ['branch' | 'switch', ...string[]] {
  switch (change.action) {
    case 'create':
      return ['branch', '--no-track', '--', change.name, change.commit];
    case 'switch':
      return ['switch', '--quiet', '--no-progress', change.name];
    case 'delete':
      return ['branch', '--delete', '--quiet', '--', change.name];
  }
}
