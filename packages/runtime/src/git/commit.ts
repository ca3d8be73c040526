// Plans a commit, shows what it would hold, and makes it.
import { type Diff, type Plan, phrase, ToolError, type Touch } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import type { PlanContext, Planned, RunContext } from '../tool/define-tool.ts';
import { identity } from '../workspace/directory.ts';
import { countPatch, describeNew } from './describe-new.ts';
import { pathSpecs } from './find-repository.ts';
import { gitCommand } from './git-failure.ts';
import { type GitDiff, readGitDiff } from './read/read-diff.ts';
import { emptyTree, type GitHead, readHead } from './read/read-head.ts';
import { readStatus } from './read/read-status.ts';
import { refuseFiltered, refuseMissing } from './refuse-paths.ts';
import { mustGit } from './run-git.ts';
import { takeTurns } from './run-program.ts';

/** The content of a planned commit: everything staged, or exactly the named files. */
export type PreparedCommit = {
  message: string;
  /** Undefined means everything staged. */
  files: string[] | undefined;
  /** The files that git does not track yet. */
  unknown: string[];
  before: GitHead;
};

// Paths that git lists may be longer than those a caller may send.
const maxPathChars = 4096;

type CommitRequest = { message: string; files: readonly string[] | undefined };
/** The content of the commit, and the part that the approval shows. */
type Content = Pick<PreparedCommit, 'files' | 'unknown'> & {
  touches: Touch[];
  within: Touch[];
  diff: Diff;
  basis: Plan['basis'];
};

export async function planCommit(
  request: CommitRequest,
  context: PlanContext,
): Promise<Planned<PreparedCommit>> {
  const { workspace, signal } = context;
  const message = request.message.endsWith('\n') ? request.message : `${request.message}\n`;
  const before = await readHead(workspace, signal);
  const namedFiles = request.files === undefined || request.files.length === 0 ? undefined : request.files;
  const content =
    namedFiles === undefined ? await staged(context, before) : await namedContent(namedFiles, context);
  const reason = phrase('risk.recordsFiles');
  const words = ['commit', '-m', request.message, ...(content.files ? ['--', ...content.files] : [])];
  const subject = request.message.split('\n')[0] ?? '';
  return {
    plan: {
      summary:
        before.branch === null
          ? phrase('plan.commitDetached', { subject })
          : phrase('plan.commit', { branch: before.branch, subject }),
      risk: 'medium',
      riskReason: reason,
      touches: content.touches,
      notes: [phrase('note.commit'), ...(before.branch === null ? [phrase('note.noBranch')] : [])],
      diff: content.diff,
      command: gitCommand(words, { risk: 'medium', reason }),
      basis: [{ path: 'HEAD', print: `${before.branch ?? ''} ${before.commit ?? ''}` }, ...content.basis],
    },
    within: content.within,
    intents: [],
    isUnforeseeable: true,
    prepared: { message, files: content.files, unknown: content.unknown, before },
  };
}

async function staged(context: PlanContext, { commit }: GitHead): Promise<Content> {
  const { workspace, signal, limits } = context;
  const shared = { workspace, signal, paths: [], maxBytes: limits.diffBytes };
  const stagedDiff = await readGitDiff({ ...shared, sides: 'staged' });
  if (stagedDiff.paths.length === 0)
    throw nothing('Nothing is staged. Name the `files` to commit.', 'nothing_staged');
  if (commit !== undefined) await refuseAbove(context, commit);
  return {
    files: undefined,
    unknown: [],
    touches: [{ asked: '.', path: '.', access: 'read' }],
    within: reads(stagedDiff.paths),
    diff: diffWith(stagedDiff, []),
    basis: [{ path: 'index', print: digest(stagedDiff.listing) }],
  };
}

// The index belongs to the whole repository, but the approval shows only the workspace.
async function refuseAbove({ workspace, signal }: PlanContext, commit: string): Promise<void> {
  const { stdout, repository } = await mustGit({
    workspace,
    signal,
    args: ['diff-index', '--cached', '--name-only', '--no-renames', '-z', commit],
  });
  const above = stdout
    .toString()
    .split('\0')
    .filter((path) => path !== '' && !path.startsWith(repository.prefix));
  if (above.length > 0) {
    throw new ToolError(
      'GIT_ERROR',
      `Files above the workspace are staged too, such as ${JSON.stringify(above[0])}. Name the \`files\` to commit.`,
      { reason: 'above_workspace' },
    );
  }
}

async function namedContent(names: readonly string[], context: PlanContext): Promise<Content> {
  const { workspace, signal, limits } = context;
  const places = names.map((name) => locate(name, context, limits.pathChars));
  const absent = places.filter(({ print }) => print === 'absent');
  await refuseMissing({ workspace, signal, absent });
  const files = [...new Set(places.map(({ path }) => path))];
  const { entries, filters } = await readStatus({ workspace, signal, paths: files, untracked: 'all' });
  if (entries.length === 0)
    throw nothing('The named files have no changes, or git ignores them.', 'nothing_to_commit');
  const unknown = entries.filter(({ index }) => index === '?').map(({ path }) => path);
  const present = entries.filter(({ worktree }) => worktree !== 'D').map(({ path }) => path);
  await refuseFiltered({ workspace, signal, paths: present }, filters);
  const shared = { workspace, signal, paths: files, maxBytes: limits.diffBytes };
  const diffSinceCommit = await readGitDiff({ ...shared, sides: 'since-commit' });
  const changed = [...new Set([...diffSinceCommit.paths, ...unknown])];
  return {
    files,
    unknown,
    touches: places.map(({ asked, path }) => ({ asked, path, access: 'read' })),
    within: reads(changed),
    diff: diffWith(diffSinceCommit, describeNew(unknown, context)),
    basis: [
      { path: 'index', print: digest(diffSinceCommit.listing) },
      ...changed.map((path) => ({ path, print: locate(path, context, maxPathChars).print })),
    ],
  };
}

function locate(
  requestedPath: string,
  { workspace }: PlanContext,
  pathChars: number,
): { asked: string; path: string; print: string } {
  using place = workspace.locate(requestedPath, { followLast: false, access: 'read', pathChars });
  return {
    asked: requestedPath,
    path: place.path,
    print: place.stat === undefined ? 'absent' : identity(place.stat),
  };
}

function reads(paths: readonly string[]): Touch[] {
  return paths.map((path) => ({ asked: path, path, access: 'read' }));
}

function diffWith(gitDiff: GitDiff, added: readonly string[]): Diff {
  const text = [gitDiff.text, ...added].join('');
  return { text, ...countPatch(text), truncated: gitDiff.isCut };
}

function nothing(message: string, reason: string): ToolError {
  return new ToolError('GIT_ERROR', message, { reason });
}

export type Committed = {
  hash: string;
  branch: string | null;
  files_committed: number;
  insertions: number;
  deletions: number;
};

const reportMs = 10_000;
// The names may not fit on one command line.
const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'] as const;

export async function makeCommit(prepared: PreparedCommit, context: RunContext): Promise<Committed> {
  const { workspace } = context;
  await takeTurns(workspace.root.real, () => commit(prepared, context));
  return await tellCommit(prepared.before, workspace);
}

/** The content of the new commit. The commit is made even if the call was cancelled meanwhile, so it is always reported. */
export async function tellCommit(before: GitHead, workspace: RunContext['workspace']): Promise<Committed> {
  const signal = AbortSignal.timeout(reportMs);
  const { branch, commit: hash = '' } = await readHead(workspace, signal);
  const parent = before.commit ?? (await emptyTree(workspace, signal));
  const { stdout } = await mustGit({
    workspace,
    signal,
    args: ['diff-tree', '-r', '-z', '-M', '--numstat', parent, hash],
  });
  return { hash, branch, ...countNumbers(stdout.toString()) };
}

async function commit({ message, files, unknown }: PreparedCommit, context: RunContext): Promise<void> {
  const { workspace, signal } = context;
  const shared = { workspace, signal, isChange: true } as const;
  const places = files === undefined ? [] : ['--only', '--', ...pathSpecs(workspace, files)];
  const announced = pathSpecs(workspace, unknown).join('\0');
  // git commits by name only files it tracks; tracking the names is enough.
  if (unknown.length > 0)
    await mustGit({ ...shared, args: ['add', '--intent-to-add', ...fromInput], input: announced });
  try {
    await mustGit({
      ...shared,
      args: ['commit', '--quiet', '--no-verify', '--no-status', '--cleanup=verbatim', '--file=-', ...places],
      input: message,
    });
  } catch (error) {
    if (unknown.length > 0) await forget(context, announced);
    throw error;
  }
}

async function forget({ workspace }: RunContext, announced: string): Promise<void> {
  const args = ['rm', '--cached', '--quiet', '--ignore-unmatch', ...fromInput] as const;
  // The caller must see the error that stopped the commit, not one of this cleanup.
  await mustGit({
    workspace,
    signal: AbortSignal.timeout(reportMs),
    args,
    input: announced,
    isChange: true,
  }).catch(() => undefined);
}

// Each record is `added<TAB>deleted<TAB>path`; `-` for binary files. A rename has an empty path, followed by both names.
function countNumbers(text: string): Pick<Committed, 'files_committed' | 'insertions' | 'deletions'> {
  const fields = text.split('\0');
  const counts = { files_committed: 0, insertions: 0, deletions: 0 };
  for (let i = 0; i < fields.length; i++) {
    const [added, deleted, path] = (fields[i] ?? '').split('\t');
    if (path === undefined) continue;
    counts.files_committed++;
    counts.insertions += Number(added) || 0;
    counts.deletions += Number(deleted) || 0;
    if (path === '') i += 2;
  }
  return counts;
}
