// Plans and performs creating, switching to and deleting a branch.
import { type Access, type PlanDraft, phrase, ToolError, type Touch } from '@codelab/protocol';
import type { PlanContext, Planned, RunContext } from '../tool/define-tool.ts';
import { gitCommand } from './git-failure.ts';
import { checkBranchName, commitOf, emptyTree, readHead } from './read/read-head.ts';
import { refuseFiltered } from './refuse-paths.ts';
import { type GitRun, mustGit } from './run-git.ts';
import { takeTurns } from './run-program.ts';

/** The effect of creating, switching to or deleting a branch. */
export type BranchChange =
  | { action: 'create'; name: string; commit: string }
  | { action: 'switch'; name: string }
  | { action: 'delete'; name: string };

type BranchRequest = { action: BranchChange['action']; name: string; from: string | undefined };

export async function planBranch(
  request: BranchRequest,
  context: PlanContext,
): Promise<Planned<BranchChange>> {
  const { workspace, signal } = context;
  await checkBranchName(workspace, signal, request.name);
  const commit = await commitOf(workspace, signal, `refs/heads/${request.name}`);
  switch (request.action) {
    case 'create':
      return await planCreate(request, commit, context);
    case 'switch':
      return await planSwitch(request.name, existing(request.name, commit), context);
    case 'delete':
      return planDelete(request.name, existing(request.name, commit));
  }
}

function existing(name: string, commit: string | undefined): string {
  if (commit !== undefined) return commit;
  throw new ToolError(
    'GIT_ERROR',
    `There is no branch ${JSON.stringify(name)}. List them with action "list".`,
    {
      reason: 'no_branch',
    },
  );
}

async function planCreate(
  { name, from = 'HEAD' }: BranchRequest,
  present: string | undefined,
  { workspace, signal }: PlanContext,
): Promise<Planned<BranchChange>> {
  if (present !== undefined)
    throw new ToolError(
      'ALREADY_EXISTS',
      `The branch ${JSON.stringify(name)} already exists. Choose another name.`,
    );
  const commit = from.includes('\0') ? undefined : await commitOf(workspace, signal, from);
  if (commit === undefined) {
    throw new ToolError(
      'GIT_ERROR',
      `There is no commit ${JSON.stringify(from.slice(0, 200))} to start from.`,
      {
        reason: 'no_commit',
      },
    );
  }
  const reason = phrase('risk.namesCommit');
  return changing(
    { action: 'create', name, commit },
    {
      summary: phrase('plan.createBranch', { name, commit: commit.slice(0, 7) }),
      risk: 'low',
      riskReason: reason,
      touches: [],
      notes: [],
      command: gitCommand(['branch', name, commit], { risk: 'low', reason }),
      basis: [{ path: `refs/heads/${name}`, print: 'absent' }],
    },
  );
}

async function planSwitch(
  name: string,
  commit: string,
  context: PlanContext,
): Promise<Planned<BranchChange>> {
  const { workspace, signal } = context;
  const head = await readHead(workspace, signal);
  const tree = head.commit ?? (await emptyTree(workspace, signal));
  const ran = await mustGit({
    workspace,
    signal,
    args: ['diff-tree', '-r', '-z', '--raw', '--no-renames', tree, commit],
  });
  if (ran.repository.prefix !== '') {
    throw new ToolError(
      'GIT_ERROR',
      'Switching branches would change files above the workspace. Open the whole repository with --workspace.',
      { reason: 'above_workspace' },
    );
  }
  const touches = touchesInDiff(ran);
  await refuseFiltered({ workspace, signal, paths: touches.map(({ path }) => path) }, ran.filters);
  const reason = phrase('risk.switches');
  const back = head.branch === null ? head.commit : head.branch;
  return changing(
    { action: 'switch', name },
    {
      summary: phrase('plan.switchBranch', { name, files: touches.length }),
      risk: 'medium',
      riskReason: reason,
      touches: [{ asked: '.', path: '.', access: 'write' }],
      notes: back === undefined ? [] : [phrase('note.switchBack', { branch: back })],
      command: gitCommand(['switch', name], { risk: 'medium', reason }),
      basis: [
        { path: 'HEAD', print: `${head.branch ?? ''} ${head.commit ?? ''}` },
        { path: `refs/heads/${name}`, print: commit },
      ],
    },
    touches,
  );
}

function planDelete(name: string, commit: string): Planned<BranchChange> {
  const reason = phrase('risk.dropsName');
  return changing(
    { action: 'delete', name },
    {
      summary: phrase('plan.deleteBranch', { name, commit: commit.slice(0, 7) }),
      risk: 'medium',
      riskReason: reason,
      touches: [],
      notes: [phrase('note.createAgain', { name, commit })],
      command: gitCommand(['branch', '--delete', name], { risk: 'medium', reason }),
      basis: [{ path: `refs/heads/${name}`, print: commit }],
    },
  );
}

function changing(prepared: BranchChange, plan: PlanDraft, within: Touch[] = []): Planned<BranchChange> {
  return { plan, within, intents: [], isUnforeseeable: true, prepared };
}

const accesses: Record<string, Access> = { A: 'create', D: 'delete' };

// Each record is `:modes hashes status`, then the path.
function touchesInDiff({ stdout }: GitRun): Touch[] {
  const fields = stdout.toString().split('\0');
  const touches: Touch[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const path = fields[i + 1] ?? '';
    touches.push({ asked: path, path, access: accesses[fields[i]?.at(-1) ?? ''] ?? 'write' });
  }
  return touches;
}

/** Creates, switches to or deletes a branch as planned. */
type BranchResult = { current: string | null; created?: string; deleted?: string };

const reportMs = 10_000;

export async function changeBranch(
  change: BranchChange,
  { workspace, signal }: RunContext,
): Promise<BranchResult> {
  await takeTurns(workspace.root.real, () =>
    mustGit({ workspace, signal, args: argsFor(change), isChange: true }),
  );
  // The change is done even if the call was cancelled meanwhile, so the result is read under its own deadline.
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
